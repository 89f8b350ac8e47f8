#pragma once
// Population annealing: a population of replicas is drawn at infinite temperature and cooled step
// by step. At each step replicas die out or have copies made of them, as their weights say, and are
// then swept. What the weights come to gives the free energy.

#include <optional>
#include <vector>

#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/sampling/lowest_state.hpp"
#include "larmor/study/sampling/thermal_stage.hpp"
#include "larmor/study/tempering/population_table.hpp"
#include "larmor/tempering/population.hpp"

namespace larmor::study {

/// What its measurements are told.
MeasureContext measure_context(const PopulationKeys& keys, const ReadContext& context);

class PopulationStage : public ThermalStage {
 public:
  /// @throws InputError for keys that make no sense
  PopulationStage(const PopulationKeys& keys, std::unique_ptr<SamplerChoice> sampler,
                  Measurements beside, const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_on(const SystemSize& system) const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  bool reads_tables() const override { return beside_.reads_tables(); }
  void require_beginning(const Simulation& simulation, bool is_first) const override;
  void prepare(Simulation& simulation) override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  double updates_per_site() const override;
  /// The one before, until the next is chosen.
  Index latest_point() const override {
    return sweeps_done_ == 0 && point_ > 0 ? point_ - 1 : point_;
  }
  tempering::PopulationRule rule(Index replicas) const;
  double inverse_temperature(Index point) const;
  /// Takes the population to the next temperature.
  void cool(Simulation& simulation);
  void choose_temperature(std::span<const double> energies, double beta);
  /// Writes what was measured of the population, and goes on to the next temperature.
  void end_point(Simulation& simulation, ResultsGroup& results);
  void write_averages(const Simulation& simulation, const ThermalSeries& members,
                      ResultsGroup& results) const;
  /// Of what is measured beside energy and order.
  void write_beside(const Simulation& simulation, ResultsGroup& results) const;
  using Columns = std::vector<std::vector<double>>;  ///< [component][member]
  Estimate append_averages_of(const Observable& observable, const Columns& components,
                              ResultsGroup& results) const;
  void write_population(ResultsGroup& results) const;
  void write_lowest(ResultsGroup& results);
  /// Energy and order parameter of those that there are, as they were measured last.
  ThermalSeries members() const;

  PopulationKeys keys_;
  Cooling cooling_;
  Measurements beside_;                              ///< energy and order parameter
  std::optional<tempering::Population> population_;  ///< since `prepare`
  double log_states_ = 0;                            ///< ln of the number of states of a replica
  double overlap_ = 1;                               ///< of the step to this temperature
  LowestState lowest_;
  std::vector<double> last_energies_;  ///< of the members at the last temperature, per site
  std::string note_;
};

/// Of a model kind. @param Matter as MonteCarloTable has it
template <class Matter>
class PopulationStageOf : public MeasuringStage<PopulationStage, PopulationTable<Matter>, Matter> {
 public:
  using MeasuringStage<PopulationStage, PopulationTable<Matter>, Matter>::MeasuringStage;
};

}  // namespace larmor::study
