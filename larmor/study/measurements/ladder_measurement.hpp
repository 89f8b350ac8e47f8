#pragma once
// Measurements that use the rung and the ladder of each replica. If a stage has no ladder, it takes
// these measurements like all others, and all replicas are at one rung.

#include <functional>

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::study {

/// Rungs and energies of the replicas of the process, at the moment of a sample.
struct RungSnapshot {
  std::vector<double> rungs;   ///< whole numbers
  std::vector<double> energy;  ///< energy per spin; empty if it is unknown
  /// k_B T of each rung; empty if it is unknown, or if the Hamiltonian is only a part of the
  /// energies.
  std::vector<double> kT;
};

/// Does this rank have all replicas of each of its samples?
inline bool has_whole_samples(const Ranks& ranks, const tempering::LadderLayout& layout) {
  const Index of_sample = layout.replicas_of_sample();
  return ranks.sharing() == nullptr && ranks.share().first % of_sample == 0 &&
         ranks.share().count % of_sample == 0;
}
inline constexpr const char* whole_samples_remedy =
    "use fewer ranks, or enough samples to give each rank whole samples";

class LadderMeasurement : public Measurement {
 public:
  using Measurement::Measurement;

  /// Called after `prepare`. @param layout that of all processes
  /// @throws InputError for a layout that cannot be measured
  virtual void prepare_ladder(const Simulation& simulation,
                              const tempering::LadderLayout& layout) = 0;
  /// Reads the present configurations. A collective operation.
  /// @return the work that follows when rungs and energies of this moment are known
  virtual std::function<void(const RungSnapshot&)> begin(const Simulation& simulation,
                                                         const Instant& now,
                                                         MeasurementQueue& queue,
                                                         ResultsGroup& results) = 0;
};

}  // namespace larmor::study
