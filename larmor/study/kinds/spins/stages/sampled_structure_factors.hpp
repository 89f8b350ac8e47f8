#pragma once
// S(q) at equal times that a sampling stage measures, of each of its temperatures.

#include <memory>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "larmor/correlations/spectra/static_structure_factor.hpp"
#include "larmor/study/kinds/spins/sampling_tables.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"
#include "larmor/study/stages/measurement_queue.hpp"

namespace larmor::study {

class SampledStructureFactors {
 public:
  /// @param measure of a stage; those that are structure factors are taken, with `every`
  /// @param sweeps at each temperature @throws InputError for keys that contradict one another
  SampledStructureFactors(const std::vector<SampledTable>& measure, Index sweeps);

  /// ", S(q) every 10", for plans.
  std::string plan() const;
  /// The first after `sweep` at which one is taken, `otherwise` at the latest.
  Index next(Index sweep, Index otherwise) const;
  /// @throws InputError for wave vectors or a method that the sample does not have
  double extra_bytes(const lattice::Geometry& geometry, Index replicas) const;
  /// @param study with all replicas @throws InputError for replicas that nothing connected is of
  void require_replicas(const Study& study, const lattice::Geometry& geometry) const;
  double device_bytes(const lattice::Geometry& geometry, const ReplicaShare& replicas,
                      const Device& device) const;

  void prepare(const SpinSimulation& simulation);
  /// Takes those whose turn it is. On a GPU they are not waited for.
  void take(const SpinSimulation& simulation, Index sweep, MeasurementQueue& queue);
  /// What they take beside sweeps, tried out on the state; before the first is taken.
  double seconds_per_sweep(const SpinSimulation& simulation);
  /// A row of each in the results, then begins anew. @param point of the stage, from 0
  void append(const SpinSimulation& simulation, ResultsGroup& results, Index point,
              double temperature);

  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

 private:
  struct Sampled {
    SampledTable table;
    correlations::QList q;
    std::unique_ptr<correlations::StateAmplitudes> amplitudes;
    std::unique_ptr<correlations::StaticStructureFactor> sums;
  };

  correlations::StaticSettings settings(const Sampled& sampled, Index replicas) const;
  correlations::StaticResult result_of(const Sampled& sampled,
                                       const SpinSimulation& simulation) const;
  static void write(const Sampled& sampled, const std::string& name,
                    const SpinSimulation& simulation, ResultsGroup& results);

  Index sweeps_;
  std::vector<Sampled> sampled_;
};

}  // namespace larmor::study
