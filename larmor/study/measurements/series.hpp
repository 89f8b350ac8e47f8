#pragma once
// A measurement that keeps a series of every observable: series/NAME and averages/NAME.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/measurements/stored_samples.hpp"

namespace larmor::study {

/// What the samples of a point came to, at one rung of a ladder.
struct MeasuredSeries {
  Index replicas = 0;
  Index of_sample = 0;  ///< replicas that share a sample of frozen disorder; 0: all are alike
  std::optional<MeasuredPoint> point;
  /// Of each observable, [sample][replica][component]; for measurements that derive from series.
  std::vector<std::vector<double>> values;
  std::vector<Estimate> averages;  ///< of each observable
};

class SeriesMeasurement : public Measurement {
 public:
  /// @param context of the stage, for the number of samples
  SeriesMeasurement(std::string what, Value completed, std::optional<Index> every,
                    const MeasureContext& context);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  double kept_bytes() const override { return samples_.bytes(); }
  void store(const std::optional<Index>& point, ResultsGroup& results) override {
    samples_.store(point, results);
  }
  void make_room() override { samples_.make_room(); }
  /// series/NAME as `append_series`; averages/NAME: the mean, of vectors that of their lengths, of
  /// ratios the ratio of means; of a stage with points also averages/NAME_x, NAME_y, NAME_z of
  /// vectors; then what `write_derived` adds.
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

  // For stages that keep no series of all samples.

  /// What is measured, since `prepare`.
  const std::vector<Observable>& known() const { return observables_; }
  /// Is a sample a function of the configuration alone, whatever led there?
  virtual bool of_configurations() const { return true; }
  /// Begins to measure, without waiting for a GPU.
  virtual std::vector<Pending> begin(const Simulation& simulation);
  /// What the numbers mean that `begin` promised: of each observable [replica][component].
  virtual std::vector<std::vector<double>> finish(const Simulation& simulation,
                                                  std::vector<std::vector<double>> numbers) const;
  /// Writes averages that are made of other averages, or of several series. On the root.
  virtual void write_derived(const Simulation&, const MeasuredSeries&, ResultsGroup&) const {}
  /// Does `write_derived` read the series, or only their averages?
  virtual bool derives_from_series() const { return false; }
  /// Of a sample of a replica, at most.
  virtual Index numbers(const Sizing& sizing) const = 0;

 protected:
  /// What is measured. They refer to the simulation's parts.
  virtual std::vector<Observable> observables(const Simulation& simulation) const = 0;
  /// Takes note of a sample whose values come later, by `keep`.
  void announce(const Instant& now);
  /// @param values of an observable, [replica][component], in the order of the samples
  void keep(std::size_t observable, const double* values, std::size_t count);
  std::vector<Observable>& known() { return observables_; }

 private:
  Index sample_count_;
  std::vector<Observable> observables_;
  StoredSamples samples_;  ///< with a column for each observable
  std::string time_unit_;  ///< that dynamics counts by
};

}  // namespace larmor::study
