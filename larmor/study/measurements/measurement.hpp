#pragma once
// What stages measure on their way: an entry of `measure` each. A stage says when, a measurement
// what: it has its own keys, samples, results and memory.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "larmor/study/measurements/measurement_queue.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Where a stage stands when it measures.
struct Instant {
  Index step = 0;         ///< steps or sweeps of the stage, of those with points those of the point
  double time = 0;        ///< as the stage counts it
  std::string time_unit;  ///< empty: none
};

/// The point of a stage whose samples are written, for instance one of its temperatures.
struct MeasuredPoint {
  Index number = 0;  ///< from 0
  double temperature = 0;
};

/// What a measurement is told of the stage that asks for it.
struct MeasureContext {
  ReadContext read;
  Index steps = 0;  ///< or sweeps of the stage, at each of its points
  Index every = 1;  ///< between its measurements, where an entry does not say
  std::string step_name = "steps";
  std::string sampler = {};       ///< as the stage's key says; empty: it has none
  Index number = 1;               ///< among those of its kind in the stage
  bool differs_in_field = false;  ///< have replicas fields of their own beside the Hamiltonian's?
};

class Measurement {
 public:
  /// @param completed its entry with every default @param every steps between samples; nothing: it
  /// is taken when the stage measures
  Measurement(std::string what, Value completed, std::optional<Index> every)
      : what_(std::move(what)), completed_(std::move(completed)), every_(every) {}
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;
  virtual ~Measurement() = default;

  /// As `measure` names it.
  const std::string& what() const { return what_; }
  const Value& completed() const { return completed_; }
  const std::optional<Index>& every() const { return every_; }

  /// @throws InputError for what the system does not have
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// After `validate`.
  virtual StageBytes forecast(const Sizing& sizing) const = 0;
  /// Does it read tables of neighbours even where kernels are compiled for the model?
  virtual bool reads_tables() const { return false; }

  /// Before the first sample, also when resuming.
  virtual void prepare(const Simulation& simulation) = 0;
  /// Does one of several equal parts of the work of a sample, to estimate its time; nothing is
  /// kept. @return the number of parts; 0: it takes no time
  virtual Index try_part(const Simulation& simulation) {
    static_cast<void>(simulation);
    return 0;
  }
  /// Takes a sample of the state as it is, without waiting for a GPU where that can be.
  virtual void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                      ResultsGroup& results) = 0;
  /// Brings together what ranks have. All ranks come together, before `write` and `save`, when the
  /// queue is empty.
  virtual void settle() {}
  /// Bytes of samples that `store` puts into the results, while memory has them. The same on all
  /// ranks.
  virtual double kept_bytes() const { return 0; }
  /// Puts samples into the results as they come, those of checkpoints before these. All ranks come
  /// together, when the queue is empty. @param point nothing: the stage has no points
  virtual void store(const std::optional<Index>& point, ResultsGroup& results) {
    static_cast<void>(point), static_cast<void>(results);
  }
  /// After `store`: what the results have need not be in memory.
  virtual void make_room() {}
  /// Writes what was sampled at a point, then begins anew. All ranks come together.
  /// @param point nothing: the stage has no points
  virtual void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                     ResultsGroup& results) = 0;
  /// After the last `write`: what the user should know; empty: nothing.
  virtual std::string note() const { return ""; }

  /// Names are its own. All ranks come together.
  virtual void save(StageMemory& memory, const Ranks& ranks) const = 0;
  virtual void load(const StageMemory& memory, const Ranks& ranks) = 0;

 private:
  std::string what_;
  Value completed_;
  std::optional<Index> every_;
};

/// The first has no number. @param number from 1
inline std::string numbered_name(const std::string& name, Index number) {
  return number == 1 ? name : name + "-" + std::to_string(number);
}

}  // namespace larmor::study
