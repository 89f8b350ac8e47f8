#pragma once
// Simulated annealing: a few sweeps at each of many temperatures. In the first half of them cones
// adapt, in the second half averages are taken.

#include "larmor/study/stages/thermal_stage.hpp"

namespace larmor::study {

class AnnealStage : public ThermalStage {
 public:
  using Table = AnnealTable;
  AnnealStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_spin() const override;
  std::string plan() const override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;

 private:
  Table table_;
};

}  // namespace larmor::study
