#pragma once
// What the Monte Carlo stages share: an ensemble, a list of temperatures, and averages at each of
// them.

#include <memory>
#include <optional>

#include "larmor/study/measurements/measurement_queue.hpp"
#include "larmor/study/sampling/ensemble.hpp"
#include "larmor/study/sampling/thermal_averages.hpp"

namespace larmor::study {

class ThermalStage : public Stage {
 public:
  ThermalStage(std::unique_ptr<SamplerChoice> sampler, std::vector<double> temperatures,
               const ReadContext& context);

  void validate(const Sizing& sizing) const override { sampler_->validate(sizing); }
  bool needs_whole_lattice() const override { return sampler_->needs_whole_lattice(); }
  std::vector<Advice> advice(const Simulation& simulation) const override {
    return sampler_->advice(simulation);
  }
  void prepare(Simulation& simulation) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string engine(const Simulation& simulation) const override {
    return kind() + ": " + sampler_->engine(simulation.study);
  }
  double seconds_per_update(Simulation& simulation) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  std::string note() const override;
  void settle() override { queue_.drain(); }
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 protected:
  /// A sample of the point is there.
  virtual void keep(const EnsembleSample& sample) { series_.add(sample.energy, sample.order); }
  /// All samples of the point, of all replicas on the root; elsewhere this rank's. All ranks come
  /// together.
  virtual ThermalSeries series_of_point(const ResultsGroup& results) const;
  virtual void forget_series() { series_.clear(); }
  virtual void save_series(StageMemory& memory) const;
  virtual void load_series(const StageMemory& memory);
  /// What the sampler needs, and samples of one temperature with all that is made of them.
  StageBytes forecast_of_samples(const Sizing& sizing, Index samples) const;
  /// Sets the ensemble to the temperature of the current point.
  void set_point();
  /// Measures energy and order parameter.
  void take(const Simulation& simulation);
  /// Of the states as they are, per site; waits for a GPU. [replicas of the process]
  std::vector<double> energies_as_they_are() const;
  /// Writes the averages of the point, of every rung of a ladder, and goes on to the next.
  void finish_point(const Simulation& simulation, ResultsGroup& results);
  /// Sweeps the sampler adapts after.
  static constexpr Index tuning_round = 10;
  double updates_per_sweep() const { return sampler_->updates_per_sweep(); }
  static double work_of(const Simulation& simulation, double updates);
  /// How often energy and order parameter are measured, for forecasts of time.
  virtual double measurements_per_sweep() const {
    // As an annealing does it: after each round of tuning in the second half of a temperature.
    return 1.0 / (2 * tuning_round);
  }
  bool all_points_done() const { return point_ == static_cast<Index>(temperatures_.size()); }

  /// Sweeps between the start of a point and its first sample, and between samples; nothing where
  /// no start is forgotten.
  struct Start {
    Index thermalisation, every;
  };
  virtual std::optional<Start> start() const { return std::nullopt; }
  /// Of the temperature that `latest` tells.
  virtual Index latest_point() const { return point_; }
  /// Appends the averages of one rung.
  void append_averages(const Simulation& simulation, ResultsGroup& results, ThermalSeries series);
  std::unique_ptr<SamplerChoice> sampler_;
  std::vector<double> temperatures_;
  ReadContext context_;
  const Ranks* ranks_ = nullptr;  ///< since `prepare`
  std::unique_ptr<Ensemble> ensemble_;
  ThermalSeries series_;
  MeasurementQueue queue_;
  double sum_of_energies_ = 0;  ///< of the samples of this run at this point, for `latest`
  Index energies_ = 0;          ///< of these, how many
  double longest_time_ = 0;     ///< autocorrelation time of the points so far, in sweeps
  Index point_ = 0;
  Index sweeps_done_ = 0;  ///< at this point, of whatever phase the stage is in
};

}  // namespace larmor::study
