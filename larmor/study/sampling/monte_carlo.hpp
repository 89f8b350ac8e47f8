#pragma once
// Equilibrium averages at one temperature or several: thermalise, then measure.

#include "larmor/core/text.hpp"
#include "larmor/study/measurements/stored_samples.hpp"
#include "larmor/study/sampling/monte_carlo_table.hpp"
#include "larmor/study/sampling/thermal_stage.hpp"

namespace larmor::study {

/// The context of measurements in a Monte Carlo stage. @throws InputError as measured_sweeps
MeasureContext measure_context(const MonteCarloKeys& keys, const ReadContext& context);

class MonteCarloStage : public ThermalStage {
 public:
  MonteCarloStage(const MonteCarloKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                  Measurements others, bool has_temperature, const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_per_site() const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool reads_tables() const override { return others_.reads_tables(); }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override {
    std::string notes = ThermalStage::note();
    add_note(notes, others_.note());
    return notes;
  }
  void finish_measurements() override;
  std::optional<StagePlace> place() const override;
  bool allows_other_state() const override { return true; }
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 protected:
  double measurements_per_sweep() const override;
  std::optional<Start> start() const override {
    // Without thermalisation the stage begins with the final state of the one before it.
    if (keys_.thermalisation == 0) return std::nullopt;
    return Start{keys_.thermalisation, *keys_.measure_every};
  }
  void keep(const EnsembleSample& sample) override;
  ThermalSeries series_of_point(const ResultsGroup& results) const override;
  void clear_series() override { samples_.clear(); }
  void save_series(StageMemory& memory) const override { samples_.save(memory); }
  void load_series(const StageMemory& memory) override { samples_.load(memory); }

 private:
  /// The share of sweeps during which the stage measures.
  double measured_share() const;
  Index thermalise();
  Index sample(Simulation& simulation, ResultsGroup& results);
  Index next_stop(Index most_sweeps) const;
  void free_stored_if_full();

  MonteCarloKeys keys_;
  bool has_temperature_;
  Measurements others_;                  ///< measurements other than energy and order parameter
  StoredSamples samples_;                ///< samples of energy and order parameter
  std::optional<ResultsGroup> results_;  ///< set by the first block of this run
  bool thermalised_ = false;
  Index extra_rounds_ = 0;
};

/// The stage of a model kind.
template <class Matter>
class MonteCarloStageOf : public MeasuringStage<MonteCarloStage, MonteCarloTable<Matter>, Matter> {
 public:
  MonteCarloStageOf(const MonteCarloTable<Matter>& table, const ReadContext& context)
      : MonteCarloStageOf::MeasuringStage(table, context, has_temperature<Matter>()) {}
};

}  // namespace larmor::study
