#include "larmor/study/measurements/series.hpp"

#include <algorithm>

#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {

SeriesMeasurement::SeriesMeasurement(std::string name, Value completed, std::optional<Index> every,
                                     const MeasureContext& context)
    : Measurement(std::move(name), std::move(completed), every),
      sample_count_(context.steps / every.value_or(context.every) + 1),
      time_unit_(inner_unit(Dimension::time, context.read.units)) {}

StageBytes SeriesMeasurement::forecast(const Sizing& sizing) const {
  // Averages are computed from one series at a time, of three components at most. This needs the
  // length of the vectors and two copies of the deviations from the mean.
  constexpr Index largest = 3, of_averages = 3;
  const Index all = numbers(sizing);
  const Index read = derives_from_series() ? all : std::min(all, largest);
  const double of_number =
      8 * static_cast<double>(sample_count_) * static_cast<double>(sizing.all_replicas);
  StageBytes bytes;
  bytes.samples = static_cast<double>(all) * of_number;
  bytes.averages = static_cast<double>(read + of_averages) * of_number;
  return bytes;
}

void SeriesMeasurement::prepare(const Simulation& simulation) {
  observables_ = observables(simulation);
  std::vector<StoredSamples::Column> columns;
  for (const Observable& o : observables_)
    columns.push_back({o.name, o.unit, o.components, o.components == of_ratio});
  samples_.begin(std::move(columns), simulation.ranks, time_unit_);
}

void SeriesMeasurement::announce(const Instant& now) {
  samples_.announce(static_cast<double>(now.step), now.time);
}

void SeriesMeasurement::keep(std::size_t observable, const double* values, std::size_t count) {
  samples_.add(observable, values, count);
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
  samples_.store(point ? std::optional(point->number) : std::nullopt, results);
  const Index replicas = simulation.ranks.gathered_replicas();
  const Index of_sample = replicas_of_sample(simulation);
  const Index rungs = simulation.system.rungs();
  const auto mean = [&](const std::vector<double>& values, Index count) {
    return of_sample > 0 ? disorder_mean(values, count, of_sample)
                         : estimate_replicas(values, count);
  };
  std::vector<MeasuredSeries> of_rung(static_cast<std::size_t>(rungs));
  for (std::size_t n = 0; n < observables_.size(); ++n) {
    const Observable& observable = observables_[n];
    const bool vectors = observable.components == 3, pairs = observable.components == of_ratio;
    std::vector<double> all = samples_.all(n, results);
    // Only the root has all samples, and only the root writes.
    if (!simulation.ranks.is_root()) continue;
    for (Index rung = 0; rung < rungs; ++rung) {
      MeasuredSeries& own = of_rung[static_cast<std::size_t>(rung)];
      own.replicas = replicas_at_rung(replicas, rung, rungs);
      own.of_sample = of_sample;
      own.point = point;
      std::vector<double> values =
          at_rung(rungs == 1 ? std::move(all) : all, replicas, observable.components, rung, rungs);
      own.averages.push_back(pairs ? ratio_of_means(values, own.replicas, of_sample)
                                   : mean(vectors ? lengths(values) : values, own.replicas));
      append_estimate(results, observable.name, own.averages.back(), observable.unit);
      if (point && vectors)
        for (std::size_t c = 0; c < 3; ++c)
          append_estimate(results, observable.name + "_" + "xyz"[c],
                          mean(component_of(values, c), own.replicas), observable.unit);
      if (derives_from_series()) own.values.push_back(std::move(values));
    }
  }
  if (simulation.ranks.is_root())
    for (const MeasuredSeries& own : of_rung) write_derived(simulation, own, results);
  samples_.clear();
}

void SeriesMeasurement::save(StageMemory& memory, const Ranks&) const { samples_.save(memory); }

void SeriesMeasurement::load(const StageMemory& memory, const Ranks&) { samples_.load(memory); }

ClusterSeries::ClusterSeries(const char* name, const MeasureContext& context, SourcePosition where)
    : SeriesMeasurement(name, Value(name), std::nullopt, context),
      by_wolff_(context.sampler == "wolff"),
      where_(std::move(where)) {
  if (!by_wolff_ && context.sampler != "swendsen-wang")
    throw InputError(std::string(name) + " needs clusters, but the sampler is " + context.sampler,
                     where_,
                     "use sampler = \"swendsen-wang\" or \"wolff\", or leave the measurement out");
}

}  // namespace larmor::study
