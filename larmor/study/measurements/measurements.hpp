#pragma once
// Holds all measurements of a stage.

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/series.hpp"

namespace larmor::study {

class Measurements {
 public:
  Measurements() = default;
  explicit Measurements(std::vector<std::unique_ptr<Measurement>> all) : all_(std::move(all)) {}

  const std::vector<std::unique_ptr<Measurement>>& all() const { return all_; }
  /// Removes the measurements of one type, and returns them in their order.
  template <class Type>
  Measurements take_out() {
    const auto others = std::stable_partition(all_.begin(), all_.end(), [](const auto& m) {
      return dynamic_cast<const Type*>(m.get()) == nullptr;
    });
    std::vector<std::unique_ptr<Measurement>> taken(std::make_move_iterator(others),
                                                    std::make_move_iterator(all_.end()));
    all_.erase(others, all_.end());
    return Measurements(std::move(taken));
  }
  /// ", energy every 10, structure-factor every 5": the measurements that have their own `every`,
  /// for plans.
  std::string plan() const;
  bool reads_tables() const;

  /// @throws InputError for a property that the system does not have
  void validate(const Sizing& sizing) const;
  StageBytes forecast(const Sizing& sizing) const;

  void prepare(const Simulation& simulation);
  /// The work that an estimate of time tries: shares of samples, or also whole samples of
  /// measurements without shares. A stage that announces the number of its samples tries shares.
  enum class Tried { shares, samples };
  /// Seconds of the measurements in a step, measured on the state. @param stage_every steps between
  /// the measurements of the stage
  double seconds_per_step(const Simulation& simulation, Index steps, Index stage_every,
                          Tried tried = Tried::shares);
  /// The first step after `step` at which a measurement with its own `every` is due, but at most
  /// `otherwise`. @param excluded measurements to leave out
  template <class Others = std::vector<const Measurement*>>
  Index next(Index step, Index otherwise, const Others& excluded = {}) const {
    for (const auto& m : all_)
      if (m->every() && !is_among(*m, excluded))
        otherwise = std::min(otherwise, (step / *m->every() + 1) * *m->every());
    return otherwise;
  }
  /// Takes a sample of each measurement that has its own `every` and is due. @param excluded
  /// measurements to leave out
  template <class Others = std::vector<const Measurement*>>
  void sample_in_turn(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                      ResultsGroup& results, const Others& excluded = {}) {
    for (const auto& m : all_)
      if (m->every() && now.step % *m->every() == 0 && !is_among(*m, excluded))
        m->sample(simulation, now, queue, results);
  }
  /// Takes a sample of each measurement that has no `every` of its own.
  void sample_with_stage(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                         ResultsGroup& results);
  /// Joins the samples of all ranks. Called with an empty queue.
  void join_samples();
  double kept_bytes() const;
  void store(const std::optional<Index>& point, ResultsGroup& results);
  void free_stored();
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results);
  /// Lines of notes to the user; empty: none.
  std::string note() const;

  void save(StageMemory& memory, const Ranks& ranks) const;
  void load(const StageMemory& memory, const Ranks& ranks);

 private:
  template <class Others>
  static bool is_among(const Measurement& measurement, const Others& others) {
    return std::find(others.begin(), others.end(), &measurement) != others.end();
  }

  std::vector<std::unique_ptr<Measurement>> all_;
};

/// Checks the measurements of a stage that stores no series of its samples. Such a stage can take
/// only measurements that are functions of one configuration, at the times of the energy.
/// @param stage kind of the stage @param how the way in which the stage measures, for the message
/// @param where position of the key that lists the measurements
/// @throws InputError for a measurement that has its own `every`, or that is not a function of one
/// configuration
void require_configuration_series(const Measurements& measurements, const std::string& stage,
                                  const std::string& how, const SourcePosition& where);

/// All measurements, cast to series. Call require_configuration_series before: it ensures that each
/// measurement is a series.
std::vector<SeriesMeasurement*> series_of(const Measurements& measurements);

}  // namespace larmor::study
