#pragma once
// Population annealing: draws a population of replicas at infinite temperature and cools it step by
// step. At each step, replicas die out or are copied by their weights, and are then swept. The
// weights also give the free energy.

#include <optional>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/sampling/lowest_state.hpp"
#include "larmor/study/sampling/thermal_stage.hpp"
#include "larmor/study/tempering/population_table.hpp"
#include "larmor/tempering/population.hpp"

namespace larmor::study {

/// The context of measurements in population annealing.
MeasureContext measure_context(const PopulationKeys& keys, const ReadContext& context);

class PopulationStage : public ThermalStage {
 public:
  /// @throws InputError for keys that contradict one another
  PopulationStage(const PopulationKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                  Measurements others, const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_on(const SystemSize& system) const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool reads_tables() const override { return others_.reads_tables(); }
  void require_beginning(const Simulation& simulation, bool is_first) const override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  double updates_per_site() const override;
  /// The previous point, until the next temperature is chosen.
  Index latest_point() const override {
    return sweeps_done_ == 0 && point_ > 0 ? point_ - 1 : point_;
  }
  tempering::PopulationRule rule(Index replicas) const;
  double inverse_temperature(Index point) const;
  /// Cools the population to the next temperature.
  void cool(Simulation& simulation);
  void choose_temperature(std::span<const double> energies, double beta);
  /// Writes the measurements of the population, and goes on to the next temperature.
  void end_point(Simulation& simulation, ResultsGroup& results);
  void write_averages(const Simulation& simulation, const ThermalSeries& members,
                      ResultsGroup& results) const;
  /// Writes measurements other than energy and order.
  void write_others(const Simulation& simulation, ResultsGroup& results) const;
  using Columns = std::vector<std::vector<double>>;  ///< [component][member]
  Estimate append_averages_of(const Observable& observable, const Columns& components,
                              ResultsGroup& results) const;
  void write_population(ResultsGroup& results) const;
  void write_lowest(ResultsGroup& results);
  /// Energy and order parameter of the present members, as last measured.
  ThermalSeries members() const;

  PopulationKeys keys_;
  Cooling cooling_;
  Measurements others_;  ///< measurements other than energy and order parameter
  std::optional<tempering::Population> population_;  ///< set by `prepare`
  double log_states_ = 0;                            ///< ln of the number of states of a replica
  double overlap_ = 1;                               ///< overlap of the step to this temperature
  LowestState lowest_;
  std::vector<double> last_energies_;  ///< energies of the members at the last temperature, per
                                       ///< site
  std::string note_;
};

/// The stage of a model kind. @param Matter as for MonteCarloTable
template <class Matter>
class PopulationStageOf : public MeasuringStage<PopulationStage, PopulationTable<Matter>, Matter> {
 public:
  using MeasuringStage<PopulationStage, PopulationTable<Matter>, Matter>::MeasuringStage;
};

}  // namespace larmor::study
