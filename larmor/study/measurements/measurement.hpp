#pragma once
// Measurements of a stage. Each measurement belongs to an entry of `measure`. A stage chooses the
// times. A measurement has its own keys, samples, results and memory.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "larmor/study/measurements/measurement_queue.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// The progress of a stage at the moment of a measurement.
struct Instant {
  Index step = 0;         ///< steps or sweeps of the stage, or of its point if it has points
  double time = 0;        ///< progress of the stage, in `time_unit`
  std::string time_unit;  ///< empty: none
};

/// The point of a stage whose samples are written, for instance one of its temperatures.
struct MeasuredPoint {
  Index number = 0;  ///< from 0
  double temperature = 0;
};

/// Properties of the stage that makes the measurements.
struct MeasureContext {
  ReadContext read;
  Index steps = 0;  ///< steps or sweeps of the stage, at each of its points
  Index every = 1;  ///< steps between measurements, unless an entry gives its own `every`
  std::string step_name = "steps";
  std::string sampler = {};  ///< the stage's key `sampler`; empty if the stage has none
  Index number = 1;          ///< from 1, among the stage's measurements of this kind
  /// Do replicas have fields of their own in addition to the field of the Hamiltonian?
  bool differs_in_field = false;
};

class Measurement {
 public:
  /// @param completed the entry of `measure` with every default
  /// @param every steps between samples; nothing: samples are taken together with the stage's own
  /// measurements
  Measurement(std::string name, Value completed, std::optional<Index> every)
      : name_(std::move(name)), completed_(std::move(completed)), every_(every) {}
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;
  virtual ~Measurement() = default;

  /// The name of the measurement in `measure`.
  const std::string& name() const { return name_; }
  const Value& completed() const { return completed_; }
  const std::optional<Index>& every() const { return every_; }

  /// @throws InputError for a property that the system does not have
  virtual void validate(const Sizing& sizing) const { static_cast<void>(sizing); }
  /// Called after `validate`.
  virtual StageBytes forecast(const Sizing& sizing) const = 0;
  /// Does the measurement read tables of neighbours even if kernels are compiled for the model?
  virtual bool reads_tables() const { return false; }

  /// Called before the first sample, also after resuming.
  virtual void prepare(const Simulation& simulation) = 0;
  /// Does one of several equal shares of the work of a sample, to estimate its time. Nothing is
  /// stored.
  /// @return the number of shares; 0: a sample takes no time
  virtual Index try_share(const Simulation& simulation) {
    static_cast<void>(simulation);
    return 0;
  }
  /// Takes a sample of the present state, if possible without waiting for a GPU.
  virtual void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
                      ResultsGroup& results) = 0;
  /// Joins the samples of all ranks. A collective operation before `write` and `save`, with an
  /// empty queue.
  virtual void join_samples() {}
  /// Bytes of samples that `store` writes to the results, while memory has them. Equal on all
  /// ranks.
  virtual double kept_bytes() const { return 0; }
  /// Appends samples to the results, before any checkpoint that counts their rows. A collective
  /// operation, with an empty queue. @param point nothing: the stage has no points
  virtual void store(const std::optional<Index>& point, ResultsGroup& results) {
    static_cast<void>(point), static_cast<void>(results);
  }
  /// After `store`: frees samples that the results have.
  virtual void free_stored() {}
  /// Writes the samples of a point, then begins anew. A collective operation.
  /// @param point nothing: the stage has no points
  virtual void write(const Simulation& simulation, const std::optional<MeasuredPoint>& point,
                     ResultsGroup& results) = 0;
  /// After the last `write`: a note to the user; empty: none.
  virtual std::string note() const { return ""; }

  /// Saves the samples. All measurements of a stage may use equal names. A collective operation.
  virtual void save(StageMemory& memory, const Ranks& ranks) const = 0;
  virtual void load(const StageMemory& memory, const Ranks& ranks) = 0;

 private:
  std::string name_;
  Value completed_;
  std::optional<Index> every_;
};

/// `name` for the first measurement of a kind; then name-2, name-3, .. @param number from 1
inline std::string numbered_name(const std::string& name, Index number) {
  return number == 1 ? name : name + "-" + std::to_string(number);
}

}  // namespace larmor::study
