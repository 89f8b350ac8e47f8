#pragma once
// A measurement that stores a series of every observable: series/NAME and averages/NAME.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/observable.hpp"
#include "larmor/study/measurements/stored_samples.hpp"

namespace larmor::study {

/// The samples of a point and their averages, at one rung of a ladder.
struct MeasuredSeries {
  Index replicas = 0;
  Index of_sample = 0;  ///< replicas that share a disorder sample; 0: all replicas are equivalent
  std::optional<MeasuredPoint> point;
  /// The values of each observable, [sample][replica][component]. Empty unless
  /// `derives_from_series`.
  std::vector<std::vector<double>> values;
  std::vector<Estimate> averages;  ///< one for each observable
};

class SeriesMeasurement : public Measurement {
 public:
  /// @param context that of the stage, for the number of samples
  SeriesMeasurement(std::string name, Value completed, std::optional<Index> every,
                    const MeasureContext& context);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  double kept_bytes() const override { return samples_.bytes(); }
  void store(const std::optional<Index>& point, ResultsGroup& results) override {
    samples_.store(point, results);
  }
  void free_stored() override { samples_.free_stored(); }
  /// Writes series/NAME as `append_series`, and averages/NAME. The average of a vector is the mean
  /// of its length, and that of a ratio is the ratio of means. A stage with points also writes
  /// averages/NAME_x, NAME_y, NAME_z of vectors. The averages of `write_derived` follow.
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

  // For stages that do not store series of all samples.

  /// The observables, after `prepare`.
  const std::vector<Observable>& known() const { return observables_; }
  /// Is a sample a function of the configuration only?
  virtual bool of_configurations() const { return true; }
  /// Begins to measure, without waiting for a GPU.
  virtual std::vector<Pending> begin(const Simulation& simulation);
  /// The values from the numbers of `begin`: [replica][component] for each observable.
  virtual std::vector<std::vector<double>> finish(const Simulation& simulation,
                                                  std::vector<std::vector<double>> numbers) const;
  /// Writes averages that follow from other averages, or from several series. Called on the root.
  virtual void write_derived(const Simulation&, const MeasuredSeries&, ResultsGroup&) const {}
  /// Does `write_derived` read the series, or only their averages?
  virtual bool derives_from_series() const { return false; }
  /// Numbers in a sample of a replica, at most.
  virtual Index numbers(const Sizing& sizing) const = 0;

 protected:
  /// The observables, which refer to members of the simulation.
  virtual std::vector<Observable> observables(const Simulation& simulation) const = 0;
  /// Notes the time of a sample whose values follow by `keep`.
  void announce(const Instant& now);
  /// @param values those of one observable, [replica][component], in the order of the samples
  void keep(std::size_t observable, const double* values, std::size_t count);
  std::vector<Observable>& known() { return observables_; }

 private:
  Index sample_count_;
  std::vector<Observable> observables_;
  StoredSamples samples_;  ///< with a column for each observable
  std::string time_unit_;  ///< the unit in which dynamics counts
};

/// Series of properties of clusters. The sampler of the stage makes the clusters. A sample has the
/// clusters of the last sweep before it.
class ClusterSeries : public SeriesMeasurement {
 public:
  /// @param where position of its name @throws InputError unless the stage makes clusters
  ClusterSeries(const char* name, const MeasureContext& context, SourcePosition where);

  /// The clusters led to the configuration, and are not a function of it.
  bool of_configurations() const override { return false; }

 protected:
  bool by_wolff() const { return by_wolff_; }
  const SourcePosition& where() const { return where_; }

 private:
  bool by_wolff_;
  SourcePosition where_;
};

}  // namespace larmor::study
