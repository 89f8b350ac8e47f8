#pragma once
// Base of the Monte Carlo stages: an ensemble, a list of temperatures, and averages at each.

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
  void finish_measurements() override { queue_.drain(); }
  bool measures_energies() const override;
  std::vector<double> energies(const Simulation& simulation) const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 protected:
  /// Stores a sample of the point.
  virtual void keep(const EnsembleSample& sample) { series_.add(sample.energy, sample.order); }
  /// All samples of the point. The root gets those of all replicas, and any other rank those of its
  /// own replicas. A collective operation.
  virtual ThermalSeries series_of_point(const ResultsGroup& results) const;
  virtual void clear_series() { series_.clear(); }
  virtual void save_series(StageMemory& memory) const;
  virtual void load_series(const StageMemory& memory);
  /// Memory of the sampler, and of samples of one temperature with their averages.
  StageBytes forecast_of_samples(const Sizing& sizing, Index samples) const;
  /// Sets the ensemble to the temperature of the current point.
  void set_point();
  /// Measures energy and order parameter.
  void measure(const Simulation& simulation);
  /// Energies of the present states, per site; waits for a GPU. [replicas of the process]
  std::vector<double> present_energies() const;
  /// Writes the averages of the point, for every rung of a ladder, and goes on to the next.
  void finish_point(const Simulation& simulation, ResultsGroup& results);
  /// Sweeps between adaptations of the sampler.
  static constexpr Index tuning_round = 10;
  double updates_per_sweep() const { return sampler_->updates_per_sweep(); }
  static double work_of(const Simulation& simulation, double updates);
  /// The number of measurements of energy and order parameter in a sweep, for forecasts of time.
  virtual double measurements_per_sweep() const {
    // As in an annealing: after each round of tuning in the second half of a temperature.
    return 1.0 / (2 * tuning_round);
  }
  bool all_points_done() const { return point_ == static_cast<Index>(temperatures_.size()); }

  /// Sweeps between the start of a point and its first sample, and between samples; nothing if the
  /// stage need not forget the start.
  struct Start {
    Index thermalisation, every;
  };
  virtual std::optional<Start> start() const { return std::nullopt; }
  /// The point that `latest` reports.
  virtual Index latest_point() const { return point_; }
  /// Appends the averages of one rung.
  void append_averages(const Simulation& simulation, ResultsGroup& results, ThermalSeries series);
  std::unique_ptr<SamplerChoice> sampler_;
  std::vector<double> temperatures_;
  ReadContext context_;
  const Ranks* ranks_ = nullptr;  ///< set by `prepare`
  std::unique_ptr<Ensemble> ensemble_;
  ThermalSeries series_;
  MeasurementQueue queue_;
  double sum_of_energies_ = 0;  ///< over the samples of this run at this point, for `latest`
  Index energies_ = 0;          ///< number of samples in `sum_of_energies_`
  double longest_time_ = 0;     ///< longest autocorrelation time of the points so far, in sweeps
  Index point_ = 0;
  Index sweeps_done_ = 0;  ///< sweeps at this point, in any phase of the stage
};

}  // namespace larmor::study
