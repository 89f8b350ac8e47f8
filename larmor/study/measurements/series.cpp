#include "larmor/study/measurements/series.hpp"

#include "larmor/core/maths/flattened.hpp"
#include "larmor/study/measurements/averages.hpp"
#include "larmor/study/measurements/disorder_average.hpp"
#include "larmor/study/measurements/rungs.hpp"

namespace larmor::study {

void append_series(ResultsGroup& results, const std::string& name, std::vector<double> values,
                   const std::vector<Index>& row, const std::string& unit, const SampledAt& when) {
  const std::string series = "series/" + name;
  results.append(series + "/value", std::move(values), row, unit);
  results.append(series + "/step", when.steps, {}, "");
  if (when.point)
    results.append(series + "/point",
                   std::vector<double>(when.steps.size(), static_cast<double>(*when.point)), {},
                   "");
  else
    results.append(series + "/time", when.times, {}, when.time_unit);
}

SeriesMeasurement::SeriesMeasurement(std::string what, Value completed, std::optional<Index> every,
                                     const MeasureContext& context)
    : Measurement(std::move(what), std::move(completed), every),
      samples_(context.steps / every.value_or(context.every) + 1),
      time_unit_(inner_unit(Dimension::time, context.read.units)) {}

StageBytes SeriesMeasurement::forecast(const Sizing& sizing) const {
  // The series, what ranks bring together of it, rows for the file, and what averages are made of.
  constexpr double copies = 3.5;
  StageBytes bytes;
  bytes.host = 8 * copies * static_cast<double>(numbers(sizing)) * static_cast<double>(samples_) *
               static_cast<double>(sizing.replicas);
  return bytes;
}

void SeriesMeasurement::prepare(const Simulation& simulation) {
  observables_ = observables(simulation);
  values_.assign(observables_.size(), {});
  steps_.clear();
  times_.clear();
}

void SeriesMeasurement::announce(const Instant& now) {
  steps_.push_back(static_cast<double>(now.step));
  times_.push_back(now.time);
}

void SeriesMeasurement::keep(std::size_t observable, const double* values, std::size_t count) {
  values_[observable].insert(values_[observable].end(), values, values + count);
}

std::vector<Pending> SeriesMeasurement::begin(const Simulation&) {
  std::vector<Pending> parts;
  for (const Observable& observable : observables_) parts.push_back(observable.measure());
  return parts;
}

std::vector<std::vector<double>> SeriesMeasurement::finish(
    const Simulation&, std::vector<std::vector<double>> numbers) const {
  return numbers;
}

void SeriesMeasurement::sample(const Simulation& simulation, const Instant& now,
                               MeasurementQueue& queue, ResultsGroup&) {
  announce(now);
  queue.push(begin(simulation), [this, simulation](std::vector<std::vector<double>> numbers) {
    const std::vector<std::vector<double>> values = finish(simulation, std::move(numbers));
    for (std::size_t n = 0; n < values.size(); ++n) keep(n, values[n].data(), values[n].size());
  });
}

void SeriesMeasurement::write(const Simulation& simulation,
                              const std::optional<MeasuredPoint>& point, ResultsGroup& results) {
  const Ranks& ranks = simulation.ranks;
  const Index replicas = ranks.gathered_replicas();
  const Index of_sample = replicas_of_sample(simulation);
  const Index rungs = simulation.system.rungs();
  SampledAt when{std::move(steps_), {}, std::move(times_), time_unit_};
  if (point) when.point = point->number;
  std::vector<std::vector<double>> all;
  for (std::size_t n = 0; n < observables_.size(); ++n) {
    const Observable& observable = observables_[n];
    all.push_back(ranks.gathered(std::move(values_[n]), ranks.replicas(), observable.components));
    const bool vectors = observable.components == 3, pairs = observable.components == of_ratio;
    append_series(results, observable.name, pairs ? ratios(all[n]) : all[n],
                  vectors ? std::vector<Index>{replicas, 3} : std::vector<Index>{replicas},
                  observable.unit, when);
  }
  const auto mean = [&](const std::vector<double>& values, Index of) {
    return of_sample > 0 ? disorder_mean(values, of, of_sample) : estimate_replicas(values, of);
  };
  for (Index rung = 0; rung < rungs; ++rung) {
    MeasuredSeries own;
    own.replicas = replicas_at_rung(replicas, rung, rungs);
    own.of_sample = of_sample;
    own.point = point;
    // Ranks other than the root may have no replica there, and write nothing.
    if (own.replicas == 0) continue;
    for (std::size_t n = 0; n < observables_.size(); ++n) {
      const Observable& observable = observables_[n];
      const bool vectors = observable.components == 3, pairs = observable.components == of_ratio;
      own.values.push_back(at_rung(rungs == 1 ? std::move(all[n]) : all[n], replicas,
                                   observable.components, rung, rungs));
      const std::vector<double>& values = own.values.back();
      own.averages.push_back(pairs ? ratio_of_means(values, own.replicas, of_sample)
                                   : mean(vectors ? lengths(values) : values, own.replicas));
      append_estimate(results, observable.name, own.averages.back(), observable.unit);
      if (!point || !vectors) continue;
      for (std::size_t c = 0; c < 3; ++c)
        append_estimate(results, observable.name + "_" + "xyz"[c],
                        mean(component_of(values, c), own.replicas), observable.unit);
    }
    if (ranks.is_root()) write_derived(simulation, own, results);
  }
  values_.assign(observables_.size(), {});
  steps_.clear();
  times_.clear();
}

void SeriesMeasurement::save(StageMemory& memory, const Ranks& ranks) const {
  memory.numbers["steps"] = steps_;
  memory.numbers["times"] = times_;
  for (std::size_t n = 0; n < observables_.size(); ++n)
    memory.numbers["values_" + observables_[n].name] =
        ranks.gathered(values_[n], ranks.replicas(), observables_[n].components);
}

void SeriesMeasurement::load(const StageMemory& memory, const Ranks& ranks) {
  steps_ = memory.number("steps");
  times_ = memory.number("times");
  for (std::size_t n = 0; n < observables_.size(); ++n)
    values_[n] = ranks.own_of(memory.number("values_" + observables_[n].name), ranks.replicas(),
                              observables_[n].components);
}

}  // namespace larmor::study
