#pragma once
// All that a stage measures, as one.

#include <algorithm>
#include <iterator>
#include <memory>
#include <vector>

#include "larmor/study/measurements/measurement.hpp"

namespace larmor::study {

class Measurements {
 public:
  Measurements() = default;
  explicit Measurements(std::vector<std::unique_ptr<Measurement>> all) : all_(std::move(all)) {}

  const std::vector<std::unique_ptr<Measurement>>& all() const { return all_; }
  /// Takes those of a type out, in their order.
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
  /// ", energy every 10, structure-factor every 5": those with a rhythm of their own, for plans.
  std::string plan() const;
  bool reads_tables() const;

  /// @throws InputError for what the system does not have
  void validate(const Sizing& sizing) const;
  StageBytes forecast(const Sizing& sizing) const;

  void prepare(const Simulation& simulation);
  /// May a measurement that tries no parts be tried by whole samples? Not where a stage announces
  /// how many there will be.
  enum class Tried { parts, samples };
  /// What a step takes beside itself, tried out on the state. @param stage_every steps between the
  /// measurements of the stage
  double seconds_per_step(const Simulation& simulation, Index steps, Index stage_every,
                          Tried tried = Tried::parts);
  /// The first step after `step` at which one with a rhythm of its own is taken, `otherwise` at the
  /// latest. @param but not these
  template <class Others = std::vector<const Measurement*>>
  Index next(Index step, Index otherwise, const Others& but = {}) const {
    for (const auto& m : all_)
      if (m->every() && !is_among(*m, but))
        otherwise = std::min(otherwise, (step / *m->every() + 1) * *m->every());
    return otherwise;
  }
  /// Takes those with a rhythm of their own whose turn it is. @param but not these
  template <class Others = std::vector<const Measurement*>>
  void sample_in_turn(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                      ResultsGroup& results, const Others& but = {}) {
    for (const auto& m : all_)
      if (m->every() && now.step % *m->every() == 0 && !is_among(*m, but))
        m->sample(simulation, now, queue, results);
  }
  /// Takes those without one.
  void sample_with_stage(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                         ResultsGroup& results);
  /// When the queue is empty.
  void settle();
  double kept_bytes() const;
  void store(const std::optional<Index>& point, ResultsGroup& results);
  void make_room();
  void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
             ResultsGroup& results);
  /// Lines of what users should know; empty: nothing.
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

}  // namespace larmor::study
