#pragma once
// What the stages of vector spins share.

#include "larmor/study/kinds/spins/spin_system.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Everything a stage of spins acts on.
struct SpinSimulation : Simulation {
  const SystemTables& tables;
  const lattice::Geometry& geometry;
  const spins::Model& model;
  spins::SpinState& state;
};
/// @throws InternalError where the system has no spins
SpinSimulation spins_of(const Simulation& simulation);
inline SpinSimulation simulation_of(const Study& study, SpinSystem& system, const Ranks& ranks) {
  return {{study, system, ranks}, spin_tables(study), system.geometry, system.model, system.state};
}

/// A stage that acts on spins.
class SpinStage : public Stage {
 public:
  double updates_on(const SystemSize& system) const final { return updates_on(*system.geometry); }
  StageBytes bytes(const Sizing& sizing) const final;
  void require_beginning(const Simulation& simulation, bool is_first) const final {
    require_beginning(spins_of(simulation), is_first);
  }
  std::vector<Advice> advice(const Simulation& simulation) const final {
    return advice(spins_of(simulation));
  }
  double seconds_per_update(Simulation& simulation) final {
    SpinSimulation own = spins_of(simulation);
    return seconds_per_update(own);
  }
  void prepare(Simulation& simulation) final {
    SpinSimulation own = spins_of(simulation);
    prepare(own);
  }
  Portion advance(Simulation& simulation, ResultsGroup& results) final {
    SpinSimulation own = spins_of(simulation);
    return advance(own, results);
  }
  void finish(Simulation& simulation, ResultsGroup& results) final {
    SpinSimulation own = spins_of(simulation);
    finish(own, results);
  }

 protected:
  virtual double updates_on(const lattice::Geometry&) const { return updates_per_site(); }
  /// Bytes needed on the host beside the spins and the model, by the study's replicas, which may be
  /// those of this process.
  /// @throws InputError if the study cannot be run so
  virtual double extra_bytes(const Study& study, const lattice::Geometry& geometry) const = 0;
  /// Bytes of the host that each process needs for what it has of the replicas of all of them.
  /// After extra_bytes. @param study with all replicas @throws InputError if these are too few, or
  /// not alike
  virtual double bytes_of_all_replicas(const Study& study,
                                       const lattice::Geometry& geometry) const {
    static_cast<void>(study), static_cast<void>(geometry);
    return 0;
  }
  /// Bytes that kernels work in, where the spins are. After extra_bytes.
  /// @param study with the replicas of this process @param all_replicas of all processes
  virtual double device_bytes(const Study& study, const lattice::Geometry& geometry,
                              const Device& device, Index all_replicas) const {
    static_cast<void>(study), static_cast<void>(geometry), static_cast<void>(device);
    static_cast<void>(all_replicas);
    return 0;
  }
  // As those of Stage.
  virtual void require_beginning(const SpinSimulation& simulation, bool is_first) const {
    static_cast<void>(simulation), static_cast<void>(is_first);
  }
  virtual std::vector<Advice> advice(const SpinSimulation&) const { return {}; }
  virtual double seconds_per_update(SpinSimulation& simulation) = 0;
  virtual void prepare(SpinSimulation& simulation) = 0;
  virtual Portion advance(SpinSimulation& simulation, ResultsGroup& results) = 0;
  virtual void finish(SpinSimulation& simulation, ResultsGroup& results) = 0;
};

}  // namespace larmor::study
