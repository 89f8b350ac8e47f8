#pragma once
// Equilibrium averages at one temperature or several: thermalise, then measure.

#include "larmor/study/stages/thermal_stage.hpp"

namespace larmor::study {

/// @throws InputError for keys that contradict one another
MonteCarloKeys checked(const MonteCarloKeys& keys);

class MonteCarloStage : public ThermalStage {
 public:
  MonteCarloStage(const MonteCarloKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                  std::unique_ptr<SampledMeasurements> beside, const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_per_site() const override;
  std::string plan() const override;
  StageBytes bytes(const Sizing& sizing) const override;
  bool reads_tables() const override { return beside_->reads_tables(); }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  std::vector<ExtraSeries> extra_series() const override { return beside_->series(); }
  Index thermalise();
  Index sample(Simulation& simulation, ResultsGroup& results);
  Index next_stop() const;
  void append_series(ResultsGroup& results) const;

  MonteCarloKeys keys_;
  std::unique_ptr<SampledMeasurements> beside_;
  bool thermalised_ = false;
  Index extra_rounds_ = 0;
};

/// Of a kind of matter.
template <class Matter>
class MonteCarloStageOf : public MonteCarloStage {
 public:
  using Table = MonteCarloTable<Matter>;
  MonteCarloStageOf(const Table& table, const ReadContext& context)
      : MonteCarloStage(table, Matter::sampler(table, context),
                        Matter::measurements(table.measure, checked(table).measure_every,
                                             table.sweeps, context),
                        context),
        table_(table) {}

  Value completed() const override { return complete(table_, context_); }

 private:
  Table table_;
};

}  // namespace larmor::study
