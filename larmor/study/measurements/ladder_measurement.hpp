#pragma once
// Measurements that need to know at which rung of which ladder each replica is. A stage without a
// ladder takes them like others: then all replicas are at one rung.

#include <functional>

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/tempering/ladder_layout.hpp"

namespace larmor::study {

/// Of the replicas of the process, at the moment of a sample. `write` writes a row for each rung.
struct RungsNow {
  std::vector<double> rungs;   ///< whole numbers
  std::vector<double> energy;  ///< per spin; empty: not known, as what follows
  /// Of each rung; empty, too, where energies are not those of the Hamiltonian alone.
  std::vector<double> kT;
};

/// Has this rank all replicas of the samples that it has any of?
inline bool has_whole_samples(const Ranks& ranks, const tempering::LadderLayout& layout) {
  const Index of_sample = layout.replicas_of_sample();
  return ranks.sharing() == nullptr && ranks.share().first % of_sample == 0 &&
         ranks.share().count % of_sample == 0;
}
inline constexpr const char* whole_samples_remedy =
    "use fewer ranks, or so many samples that each rank has whole ones";

class LadderMeasurement : public Measurement {
 public:
  using Measurement::Measurement;

  /// After `prepare`. @param layout of all processes @throws InputError where it does not suit
  virtual void prepare_ladder(const Simulation& simulation,
                              const tempering::LadderLayout& layout) = 0;
  /// Takes the configurations as they are. All ranks come together.
  /// @return what is to be done when rungs and energies of that moment are known
  virtual std::function<void(const RungsNow&)> begin(const Simulation& simulation,
                                                     const Instant& now, MeasurementQueue& queue,
                                                     ResultsGroup& results) = 0;
};

}  // namespace larmor::study
