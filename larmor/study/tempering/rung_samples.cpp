#include "larmor/study/tempering/rung_samples.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/statistics/replicas.hpp"
#include "larmor/study/measurements/averages.hpp"

namespace larmor::study {
namespace {

constexpr std::size_t always = 2;  ///< energy and order

double squared(double x) { return x * x; }

}  // namespace

Index RungSamples::columns_of(const RungQuantity& quantity) const {
  // A vector also has its length.
  return quantity.components == 3 ? 4 : quantity.components;
}

void RungSamples::begin(const tempering::LadderLayout& layout, const OrderParameter& order,
                        const EnergyName& energy_name, const std::string& energy_unit,
                        const std::vector<RungQuantity>& others, bool keeps_series, int threads) {
  layout_ = layout;
  keeps_series_ = keeps_series;
  threads_ = threads;
  order_ = order;
  energy_ = energy_name;
  // An ensemble without an order parameter has one of no components.
  quantities_ = {{energy_name.name, energy_unit, 1}, {order.name, order.unit, order.components}};
  quantities_.insert(quantities_.end(), others.begin(), others.end());
  Index columns = first_order + order.components;
  first_column_.clear();
  for (const RungQuantity& quantity : others) {
    first_column_.push_back(columns);
    columns += columns_of(quantity);
  }
  steps_.clear();
  rungs_.clear();
  values_.assign(quantities_.size(), {});
  zero_.clear();
  statistics_.begin(columns, layout.rungs, layout.ladders(), threads);
}

void RungSamples::add(double step, RungSample sample) {
  steps_.push_back(step);
  rungs_.insert(rungs_.end(), sample.rungs.begin(), sample.rungs.end());
  for (std::size_t q = 0; q < values_.size(); ++q)
    values_[q].insert(values_[q].end(), sample.values[q].begin(), sample.values[q].end());
}

std::vector<double> RungSamples::gathered(const Ranks& ranks, std::size_t quantity,
                                          std::vector<double> values) const {
  const Index components = quantities_[quantity].components;
  if (components == 0) return {};
  return ranks.gathered(std::move(values), ranks.replicas(), components);
}

void RungSamples::gather(const Ranks& ranks, ResultsGroup& results) {
  const auto samples = static_cast<Index>(steps_.size());
  const Index replicas = layout_.replicas();
  const std::vector<double> rungs = ranks.gathered(std::move(rungs_), ranks.replicas());
  std::vector<std::vector<double>> all;
  for (std::size_t q = 0; q < values_.size(); ++q)
    all.push_back(gathered(ranks, q, std::move(values_[q])));
  SampleTimes when;
  when.steps = std::move(steps_);
  when.point = 0;
  steps_.clear();
  rungs_.clear();
  values_.assign(quantities_.size(), {});
  if (samples == 0 || ranks.gathered_replicas() != replicas) return;
  // Now the samples are sorted by rung.
  std::vector<std::vector<double>> sorted;
  for (const std::vector<double>& values : all) sorted.emplace_back(values.size());
  parallel_for(threads_, samples, [&](Index sample) {
    for (Index n = sample * replicas; n < (sample + 1) * replicas; ++n) {
      const Index at = sample * replicas +
                       layout_.replica_at(static_cast<Index>(rungs[static_cast<std::size_t>(n)]),
                                          layout_.ladder(n % replicas));
      for (std::size_t q = 0; q < all.size(); ++q) {
        const Index width = quantities_[q].components;
        std::copy_n(all[q].begin() + n * width, width, sorted[q].begin() + at * width);
      }
    }
  });
  for (Index sample = 0; sample < samples; ++sample) {
    std::vector<std::span<const double>> values;
    for (std::size_t q = 0; q < sorted.size(); ++q) {
      const auto width = static_cast<std::size_t>(replicas * quantities_[q].components);
      values.push_back(
          std::span(sorted[q]).subspan(static_cast<std::size_t>(sample) * width, width));
    }
    if (zero_.empty()) zero_.assign(values[0].begin(), values[0].begin() + layout_.rungs);
    statistics_.add(columns(values));
  }
  for (std::size_t q = 0; q < sorted.size() && keeps_series_; ++q) {
    const RungQuantity& quantity = quantities_[q];
    if (quantity.components == 0) continue;
    const bool pairs = q >= always && quantity.components == of_ratio;
    std::vector<Index> row{replicas};
    if (!pairs && quantity.components > 1) row.push_back(quantity.components);
    append_series(results, quantity.name, pairs ? ratios(sorted[q]) : std::move(sorted[q]), row,
                  quantity.unit, when);
  }
}

std::vector<double> RungSamples::columns(const std::vector<std::span<const double>>& values) const {
  std::vector<double> columns;
  const auto add = [&](const auto& of_replica) {
    const std::size_t first = columns.size();
    columns.resize(first + static_cast<std::size_t>(layout_.replicas()));
    parallel_for(threads_, layout_.rungs, [&](Index rung) {
      double* const of_rung = columns.data() + first + rung * layout_.ladders();
      for (Index ladder = 0; ladder < layout_.ladders(); ++ladder)
        of_rung[ladder] = of_replica(static_cast<std::size_t>(layout_.replica_at(rung, ladder)));
    });
  };
  const auto component = [](std::span<const double> numbers, Index components, Index c) {
    return [numbers, components, c](std::size_t replica) {
      return numbers[replica * static_cast<std::size_t>(components) + static_cast<std::size_t>(c)];
    };
  };
  const auto square_of = [](std::span<const double> numbers, Index components) {
    return [numbers, components](std::size_t replica) {
      const double* const own = numbers.data() + replica * static_cast<std::size_t>(components);
      double sum = components == 0 ? 0 : squared(own[0]);
      for (Index c = 1; c < components; ++c) sum += squared(own[c]);
      return sum;
    };
  };
  // A zero near the energies saves digits of their fluctuations.
  const auto less_zero = [&](std::size_t replica) {
    return values[0][replica] -
           zero_[static_cast<std::size_t>(layout_.first_rung(static_cast<Index>(replica)))];
  };
  columns.reserve(static_cast<std::size_t>(statistics_.columns() * layout_.replicas()));
  const auto m2 = square_of(values[1], order_.components);
  add(less_zero);
  add([&](std::size_t replica) { return squared(less_zero(replica)); });
  add([&](std::size_t replica) { return std::sqrt(m2(replica)); });
  add(m2);
  add([&](std::size_t replica) { return squared(m2(replica)); });
  for (Index c = 0; c < order_.components; ++c) add(component(values[1], order_.components, c));
  for (std::size_t q = always; q < values.size(); ++q) {
    const Index components = quantities_[q].components;
    if (components == 3) {
      const auto square = square_of(values[q], components);
      add([&](std::size_t replica) { return std::sqrt(square(replica)); });
    }
    for (Index c = 0; c < components; ++c) add(component(values[q], components, c));
  }
  return columns;
}

std::vector<double> RungSamples::energies() const {
  std::vector<double> energies;
  if (has_averages())
    for (Index rung = 0; rung < layout_.rungs; ++rung)
      energies.push_back(zero_[static_cast<std::size_t>(rung)] + mean(energy, rung).value);
  return energies;
}

Estimate RungSamples::mean(Index column, Index rung) const {
  const Estimate binned = statistics_.mean(column, rung);
  if (of_sample() == 0) return binned;
  Estimate mean = estimate_independent(group_means(statistics_.means(column, rung), of_sample()));
  mean.autocorrelation_time = binned.autocorrelation_time;
  mean.samples = binned.samples;
  return mean;
}

/// Blocks hide the correlations of samples in time, so their time comes from energy and order.
Estimate RungSamples::of_blocks(Estimate estimate, Index rung) const {
  const Estimate e = mean(energy, rung), m = has_order() ? mean(length, rung) : e;
  estimate.autocorrelation_time = std::max(e.autocorrelation_time, m.autocorrelation_time);
  estimate.samples = e.samples;
  estimate.reliable = estimate.reliable && e.reliable && m.reliable;
  return estimate;
}

MeasuredSeries RungSamples::blocks_of(Index rung, std::size_t first, std::size_t count) const {
  MeasuredSeries series;
  series.replicas = layout_.ladders();
  series.of_sample = of_sample();
  series.point = MeasuredPoint{rung, 0};
  for (std::size_t q = first; q < first + count; ++q) {
    const Index column = first_column_[q], components = quantities_[always + q].components;
    std::vector<std::vector<double>> of_component;
    for (Index c = 0; c < components; ++c)
      of_component.push_back(
          statistics_.blocks(column + columns_of(quantities_[always + q]) - components + c, rung));
    std::vector<double> values;
    for (std::size_t n = 0; n < of_component[0].size(); ++n)
      for (const std::vector<double>& means : of_component) values.push_back(means[n]);
    series.values.push_back(std::move(values));
  }
  return series;
}

std::vector<NamedEstimate> RungSamples::averages(Index rung, const ThermalUnits& units) const {
  std::vector<NamedEstimate> averages;
  if (!has_averages()) return averages;
  const auto add_mean = [&](const std::string& name, const std::string& unit, Index column) {
    averages.push_back({name, unit, mean(column, rung)});
  };
  add_mean(energy_.name, units.energy, energy);
  averages.back().estimate.value += zero_[static_cast<std::size_t>(rung)];
  if (has_order()) add_mean(order_.name, order_.unit, length);
  for (Index c = 0; c < order_.components; ++c)
    add_mean(component_name(order_, static_cast<std::size_t>(c)), order_.unit, first_order + c);
  const auto blocks = [&](Index column) { return statistics_.blocks(column, rung); };
  const ThermalMoments moments{blocks(energy), blocks(energy_squared), blocks(length),
                               blocks(length_squared), blocks(length_fourth)};
  for (NamedEstimate average :
       thermal_fluctuations(moments, layout_.ladders(), order_, energy_, units)) {
    if (!has_order() && average.name != energy_.fluctuation) continue;
    average.estimate = of_blocks(average.estimate, rung);
    averages.push_back(std::move(average));
  }
  for (std::size_t q = 0; q < first_column_.size(); ++q) {
    const RungQuantity& quantity = quantities_[always + q];
    const Index column = first_column_[q];
    if (quantity.components == of_ratio) {
      const MeasuredSeries pairs = blocks_of(rung, q, 1);
      averages.push_back(
          {quantity.name, quantity.unit,
           of_blocks(ratio_of_means(pairs.values[0], layout_.ladders(), of_sample()), rung)});
      continue;
    }
    add_mean(quantity.name, quantity.unit, column);
    for (Index c = 0; quantity.components == 3 && c < 3; ++c)
      add_mean(quantity.name + "_" + "xyz"[c], quantity.unit, column + 1 + c);
  }
  return averages;
}

std::vector<std::vector<NamedEstimate>> RungSamples::averages(
    const std::vector<ThermalUnits>& units) const {
  std::vector<std::vector<NamedEstimate>> of_rungs(units.size());
  parallel_for(threads_, std::ssize(units), [&](Index rung) {
    const auto n = static_cast<std::size_t>(rung);
    of_rungs[n] = averages(rung, units[n]);
  });
  return of_rungs;
}

void RungSamples::save(StageMemory& memory, const Ranks& ranks) const {
  statistics_.save(memory);
  memory.numbers["rung_zero"] = zero_;
  memory.numbers["waiting_steps"] = steps_;
  memory.numbers["waiting_rungs"] = ranks.gathered(rungs_, ranks.replicas());
  for (std::size_t q = 0; q < values_.size(); ++q)
    memory.numbers["waiting_" + quantities_[q].name] = gathered(ranks, q, values_[q]);
}

void RungSamples::load(const StageMemory& memory, const Ranks& ranks) {
  statistics_.load(memory);
  zero_ = memory.number("rung_zero");
  steps_ = memory.number("waiting_steps");
  rungs_ = ranks.own_of(memory.number("waiting_rungs"), ranks.replicas());
  for (std::size_t q = 0; q < values_.size(); ++q)
    if (quantities_[q].components > 0)
      values_[q] = ranks.own_of(memory.number("waiting_" + quantities_[q].name), ranks.replicas(),
                                quantities_[q].components);
}

double RungSamples::bytes(const tempering::LadderLayout& layout, Index components, Index numbers,
                          Index samples) {
  const Index of_replica = 1 + components + numbers;
  // Samples exist as they wait, joined, sorted, and as rows for the file.
  const double waiting = 4 * 8 * static_cast<double>(std::min(samples, block)) *
                         static_cast<double>(layout.replicas() * (1 + of_replica));
  // Lengths of vectors are also columns.
  return waiting + RungStatistics::bytes(first_order + components + 2 * numbers, layout.rungs,
                                         layout.ladders(), samples);
}

}  // namespace larmor::study
