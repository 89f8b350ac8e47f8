#pragma once
// A measurement that keeps a series of every observable: series/NAME and averages/NAME.

#include <vector>

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/observable.hpp"

namespace larmor::study {

class SeriesMeasurement : public Measurement {
 public:
  /// @param context of the stage, for the number of samples
  SeriesMeasurement(std::string what, Value completed, std::optional<Index> every,
                    const MeasureContext& context);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation& simulation) override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  /// series/NAME/{value, step} and time or, of a stage with points, point; averages/NAME: the mean,
  /// of vectors that of their lengths, of ratios the ratio of means; of a stage with points also
  /// averages/NAME_x, NAME_y, NAME_z of vectors.
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results) override;
  void save(StageMemory& memory, const Ranks& ranks) const override;
  void load(const StageMemory& memory, const Ranks& ranks) override;

 protected:
  /// Of a sample of a replica, at most.
  virtual Index numbers(const Sizing& sizing) const = 0;
  /// What is measured. They refer to the simulation's parts.
  virtual std::vector<Observable> observables(const Simulation& simulation) const = 0;
  /// Takes note of a sample whose values come later, by `keep`.
  void announce(const Instant& now);
  /// @param values of an observable, [replica][component], in the order of the samples
  void keep(std::size_t observable, const double* values, std::size_t count);
  std::vector<Observable>& known() { return observables_; }

 private:
  Index samples_;
  std::vector<Observable> observables_;
  std::vector<std::vector<double>> values_;  ///< of each observable, [sample][replica][component]
  std::vector<double> steps_, times_;        ///< of the samples
  std::string time_unit_;                    ///< that dynamics counts by
};

}  // namespace larmor::study
