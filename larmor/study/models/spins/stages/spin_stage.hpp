#pragma once
// Base of the stages of vector spins.

#include "larmor/study/models/spins/system/spin_simulation.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// A stage that acts on spins.
class SpinStage : public Stage {
 public:
  double updates_on(const SystemSize& system) const final { return updates_on(*system.geometry); }
  void validate(const Sizing& sizing) const final { validate(sizing, *sizing.system.geometry); }
  StageBytes forecast(const Sizing& sizing) const final {
    return forecast(sizing, *sizing.system.geometry);
  }
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
  StageProgress advance(Simulation& simulation, ResultsGroup& results) final {
    SpinSimulation own = spins_of(simulation);
    return advance(own, results);
  }
  void finish(Simulation& simulation, ResultsGroup& results) final {
    SpinSimulation own = spins_of(simulation);
    finish(own, results);
  }

 protected:
  // As the functions of Stage.
  virtual double updates_on(const lattice::Geometry&) const { return updates_per_site(); }
  virtual void validate(const Sizing& sizing, const lattice::Geometry& geometry) const {
    static_cast<void>(sizing), static_cast<void>(geometry);
  }
  virtual StageBytes forecast(const Sizing& sizing, const lattice::Geometry& geometry) const = 0;
  virtual void require_beginning(const SpinSimulation& simulation, bool is_first) const {
    static_cast<void>(simulation), static_cast<void>(is_first);
  }
  virtual std::vector<Advice> advice(const SpinSimulation&) const { return {}; }
  virtual double seconds_per_update(SpinSimulation& simulation) = 0;
  virtual void prepare(SpinSimulation& simulation) = 0;
  virtual StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) = 0;
  virtual void finish(SpinSimulation& simulation, ResultsGroup& results) = 0;
};

}  // namespace larmor::study
