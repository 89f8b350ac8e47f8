#pragma once
// Minimises the energy of the spins of every replica.

#include "larmor/study/models/spins/observables/spin_observables.hpp"
#include "larmor/study/models/spins/stages/charge_watch.hpp"
#include "larmor/study/models/spins/stages/minimise_table.hpp"
#include "larmor/study/models/spins/stages/minimising_stage.hpp"

namespace larmor::study {

class MinimiseStage : public MinimisingStage<MinimiseTable> {
 public:
  using MinimisingStage::MinimisingStage;

  double updates_per_site() const override;
  std::optional<Residual> residual() const override;
  std::string plan() const override;
  void validate(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  void append_series(ResultsGroup& results) const;

  std::vector<Observable> observables_;
  Index step_ = 0;
  bool started_ = false;  ///< is the first configuration evaluated?
  ChargeWatch charge_;
  std::string note_;
};

}  // namespace larmor::study
