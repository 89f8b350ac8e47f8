#pragma once
// Equilibrium averages at one temperature or several: thermalise, then measure.

#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/sampling/monte_carlo_table.hpp"
#include "larmor/study/sampling/thermal_stage.hpp"

namespace larmor::study {

/// @throws InputError for keys that contradict one another
MonteCarloKeys checked(const MonteCarloKeys& keys);

/// What measurements of a stage are told that makes so many sweeps and measures after every so
/// many.
MeasureContext measured_sweeps(Index sweeps, Index every, const ReadContext& context);
/// What its measurements are told.
MeasureContext measure_context(const MonteCarloKeys& keys, const ReadContext& context);

class MonteCarloStage : public ThermalStage {
 public:
  MonteCarloStage(const MonteCarloKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                  Measurements beside, bool has_temperature, const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_per_site() const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool reads_tables() const override { return beside_.reads_tables(); }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return beside_.note(); }
  void settle() override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  Index thermalise();
  Index sample(Simulation& simulation, ResultsGroup& results);
  Index next_stop() const;
  void append_series_of_point(ResultsGroup& results) const;

  MonteCarloKeys keys_;
  bool has_temperature_;
  Measurements beside_;  ///< energy and order parameter
  bool thermalised_ = false;
  Index extra_rounds_ = 0;
};

/// Of a kind of matter.
template <class Matter>
class MonteCarloStageOf : public MonteCarloStage {
 public:
  using Table = MonteCarloTable<Matter>;
  MonteCarloStageOf(const Table& table, const ReadContext& context)
      : MonteCarloStageOf(table, context,
                          read_measure(table.measure, Matter::measured(), told(table, context))) {}

  Value completed() const override { return complete(table_, context_); }

 private:
  static MeasureContext told(const Table& table, const ReadContext& context) {
    MeasureContext course = measure_context(checked(table), context);
    if constexpr (requires { table.sampler; }) course.sampler = table.sampler;
    return course;
  }
  MonteCarloStageOf(const Table& table, const ReadContext& context, MeasureEntries measured)
      : MonteCarloStage(table, Matter::sampler(table, context), std::move(measured.measurements),
                        has_temperature<Matter>(), context),
        table_(table) {
    table_.measure = std::move(measured.completed);
  }

  Table table_;
};

}  // namespace larmor::study
