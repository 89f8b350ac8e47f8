#pragma once
// Parallel tempering: replicas at all rungs of a ladder, which exchange their rungs. The ladder is
// tuned in thermalisation, then fixed while all rungs are measured.

#include <functional>

#include "larmor/study/measurements/measurement_queue.hpp"
#include "larmor/study/sampling/ladder_engine.hpp"
#include "larmor/study/tempering/lowest_states.hpp"
#include "larmor/study/tempering/rung_samples.hpp"
#include "larmor/study/tempering/tempering_table.hpp"

namespace larmor::study {

/// The number of rungs times that of copies, if the table has the number of rungs. If `copies` is
/// left out, there is one copy.
/// @throws InputError for an invalid ladder
std::optional<Index> replicas_of_ladders(const TemperingKeys& keys, Dimension field_dimension,
                                         const ReadContext& context);

/// The context of the stage's measurements.
MeasureContext measure_context(const TemperingKeys& keys, const ReadContext& context);

class TemperingStage : public Stage {
 public:
  /// The ladder of a study whose rungs are not in the stage's table.
  using LadderOfStudy = std::function<LadderChoice(const Study&)>;

  /// @param ladder_of_study null: the keys have the ladder
  /// @param field_dimension that of the key `field`
  /// @throws InputError for keys that contradict one another
  TemperingStage(const TemperingKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                 Measurements others, LadderOfStudy ladder_of_study, Dimension field_dimension,
                 const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_per_site() const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool needs_whole_lattice() const override { return sampler_->needs_whole_lattice(); }
  bool reads_tables() const override { return others_.reads_tables(); }
  std::vector<Advice> advice(const Simulation& simulation) const override {
    return sampler_->advice(simulation);
  }
  void require_beginning(const Simulation& simulation, bool is_first) const override;
  std::string engine(const Simulation& simulation) const override {
    return kind() + ": " + sampler_->engine(simulation.study);
  }
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  std::optional<StagePlace> place() const override;
  void finish_measurements() override { queue_.drain(); }
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  LadderChoice choice_for(const Study& study) const;
  tempering::LadderLayout layout_for(const Study& study) const;
  LadderPlan plan_for(const Study& study) const;
  /// The values of the rungs as the engine takes them: k_B T, couplings, or fields.
  std::vector<double> engine_values() const;
  /// k_B T of each rung; empty: rungs have no temperature.
  std::vector<double> thermal_energies() const;
  /// @throws InputError if ranks share the copies of a sample
  void require_whole_samples(const Ranks& ranks, const tempering::LadderLayout& layout) const;
  Index thermalise(ResultsGroup& results);
  /// The next sweep of thermalisation after which counts begin anew or the ladder is moved.
  Index next_of_tuning() const;
  void go_on_tuning();
  void freeze(ResultsGroup& results);
  Index sample(Simulation& simulation, ResultsGroup& results);
  void measure(const Simulation& simulation, ResultsGroup& results);
  /// Measures once and writes nothing, for forecasts of time.
  void measure_once(const Simulation& simulation);
  /// Does the stage store lowest states? It does if rungs have temperatures and configurations are
  /// stored.
  bool keeps_lowest_states() const;
  void record_lowest_states();
  void write_averages(const Simulation& simulation, ResultsGroup& results);

  TemperingKeys keys_;
  std::unique_ptr<SamplerChoice> sampler_;
  Measurements others_;
  Measurements on_ladder_;  ///< measurements of type LadderMeasurement
  LadderOfStudy ladder_of_study_;
  ReadContext context_;
  std::optional<LadderChoice> own_ladder_;  ///< ladder of temperatures or fields; nothing: that of
                                            ///< the study
  std::optional<double> temperature_;  ///< temperature of all rungs, if rungs differ in a field

  // Set by `prepare`.
  const Ranks* ranks_ = nullptr;
  LadderChoice choice_;
  tempering::LadderLayout layout_;
  std::optional<tempering::LadderTuning> tuning_;  ///< nothing: the ladder is fixed
  std::unique_ptr<LadderEngine> engine_;
  MeasurementQueue queue_;
  RungSamples samples_;
  LowestStates lowest_;
  std::vector<double> energies_now_, rungs_now_;  ///< values of the last sample [replicas of the
                                                  ///< process]
  std::vector<double> ladder_;
  std::vector<double> tried_;  ///< ladders before this one (ladder, rung)
  bool frozen_ = false;
  Index sweeps_done_ = 0;   ///< sweeps of thermalisation, then of measurements
  Index extra_rounds_ = 0;  ///< rounds of thermalisation
  Index round_begin_ = 0;   ///< first sweep of the round of tuning
  bool is_counting_ = false;
  std::string note_;
};

/// The stage of a model kind. @param Matter as for MonteCarloTable; without a temperature it gives
/// the couplings by ladder(study), a LadderChoice
template <class Matter>
class TemperingStageOf : public MeasuringStage<TemperingStage, TemperingTable<Matter>, Matter> {
 public:
  TemperingStageOf(const TemperingTable<Matter>& table, const ReadContext& context)
      : TemperingStageOf::MeasuringStage(table, context, ladder_of_study(),
                                         field_dimension<Matter>()) {}

  static std::optional<Index> replicas_of_sample(const TemperingKeys& keys,
                                                 const ReadContext& context) {
    if constexpr (!has_temperature<Matter>()) return {};
    return replicas_of_ladders(keys, field_dimension<Matter>(), context);
  }

 private:
  static TemperingStage::LadderOfStudy ladder_of_study() {
    if constexpr (has_temperature<Matter>())
      return nullptr;
    else
      return [](const Study& study) { return Matter::ladder(study); };
  }
};

}  // namespace larmor::study
