#include "larmor/study/models/quantum/stages/world_line_results.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/core/statistics/replicas.hpp"
#include "larmor/trotter/estimators.hpp"
#include "larmor/trotter/extrapolation.hpp"

namespace larmor::study {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

Index product(const std::vector<Index>& sizes) {
  Index all = 1;
  for (const Index size : sizes) all *= size;
  return all;
}

/// @param means those of m2 and m4
double binder_of(std::span<const double> means) {
  return trotter::binder_cumulant(means[0], means[1]);
}

/// A quantity of the means of several series. Its autocorrelation time is in samples.
Estimate derived(const std::vector<const ReplicaSeries*>& series, const DerivedQuantity& of_means) {
  std::vector<std::span<const double>> columns;
  for (const ReplicaSeries* const column : series) columns.emplace_back(column->bins());
  const ReplicaSeries& first = *series.front();
  Estimate estimate = jackknife(columns, first.replicas(), of_means);
  estimate.autocorrelation_time = first.in_samples(estimate.autocorrelation_time);
  return estimate;
}

}  // namespace

WorldLineResults::WorldLineResults(const WorldLineNumbers& numbers,
                                   const EstimateSettings& settings, std::vector<Index> points,
                                   Index samples, std::vector<double> betas,
                                   const char* energy_unit)
    : numbers_(numbers),
      settings_(settings),
      points_(std::move(points)),
      samples_(samples),
      betas_(std::move(betas)) {
  make_quantities(energy_unit);
}

void WorldLineResults::make_quantities(const char* energy) {
  const Index N = numbers_.sites, K = numbers_.times;
  quantities_.clear();
  const auto make = [&](const char* name, std::vector<Index> row, const char* unit, bool has_time) {
    quantities_.push_back({name, std::move(row), unit, has_time, {}, {}, {}, {}});
  };
  make("energy", {}, energy, true);
  for (const char* const name : {"specific_heat", "susceptibility", "absolute_magnetisation",
                                 "magnetisation_squared", "magnetisation_4", "binder"})
    make(name, {}, "", true);
  if (settings_.overlap)
    for (const char* const name : {"overlap_squared", "overlap_4", "overlap_binder"})
      make(name, {}, "", true);
  make("sx", {N}, "", false);
  make("sz", {N}, "", false);
  if (numbers_.has_pairs) make("szsz", {N, N}, "", false);
  if (K > 0) make("time_correlation", {K}, "", false);
  if (K > 0) make("local_time_correlation", {K}, "", false);
  if (settings_.gap_from) make("gap", {}, energy, false);
}

WorldLineResults::Quantity& WorldLineResults::quantity(const std::string& name) {
  return *std::ranges::find(quantities_, name, &Quantity::name);
}

void WorldLineResults::add(const std::string& name, const Estimate& estimate, double factor) {
  Quantity& to = quantity(name);
  to.value.push_back(factor * estimate.value);
  to.error.push_back(factor * estimate.error);
  to.reliable.push_back(estimate.reliable ? 1 : 0);
  if (to.has_time)
    to.autocorrelation_time.push_back(estimate.autocorrelation_time *
                                      static_cast<double>(settings_.measure_every));
}

void WorldLineResults::add_instance(const MeasuredInstance& measured, double beta,
                                    double constant) {
  using Numbers = WorldLineNumbers;
  const auto N = static_cast<double>(numbers_.sites);
  const std::vector<ReplicaSeries>& of = measured.scalars;
  Estimate energy = of[Numbers::energy].average();
  energy.value += constant;
  add("energy", energy, 1 / N);
  add("specific_heat",
      derived({&of[Numbers::energy], &of[Numbers::energy2], &of[Numbers::derivative]},
              [&](std::span<const double> means) {
                return trotter::specific_heat(beta, means[0], means[1], means[2]);
              }),
      1 / N);
  // Without a field, the average of sz is exactly 0.
  add("susceptibility",
      settings_.is_even
          ? of[Numbers::mean2].average()
          : derived({&of[Numbers::mean], &of[Numbers::mean2]},
                    [](std::span<const double> means) { return means[1] - means[0] * means[0]; }),
      beta * N);
  add("absolute_magnetisation", of[Numbers::abs_m].average());
  add("magnetisation_squared", of[Numbers::m2].average());
  add("magnetisation_4", of[Numbers::m4].average());
  add("binder", derived({&of[Numbers::m2], &of[Numbers::m4]}, binder_of));
  if (settings_.overlap) {
    const std::vector<ReplicaSeries>& q = measured.overlaps;
    add("overlap_squared", q[0].average());
    add("overlap_4", q[1].average());
    add("overlap_binder", derived({&q[0], &q[1]}, binder_of));
  }
  add_sites(measured.sites);
  add_others(measured.others);
  if (settings_.gap_from) add_gap(measured.others, beta);
}

void WorldLineResults::add_sites(const BlockedNumbers& sites) {
  for (Index i = 0; i < numbers_.sites; ++i) add("sx", sites.average(i));
  for (Index i = 0; i < numbers_.sites; ++i) add("sz", sites.average(numbers_.sites + i));
}

void WorldLineResults::add_others(const BlockedNumbers& others) {
  const auto average = [&](Index n) { return others.average(n - WorldLineNumbers::scalars); };
  for (Index k = 0; k < numbers_.times; ++k) {
    add("time_correlation", average(numbers_.total() + k));
    add("local_time_correlation", average(numbers_.local() + k));
  }
  if (!numbers_.has_pairs) return;
  const Index N = numbers_.sites;
  std::vector<Estimate> pairs;
  for (Index n = numbers_.pairs(); n < numbers_.count(); ++n) pairs.push_back(average(n));
  for (Index i = 0; i < N; ++i)
    for (Index j = 0; j < N; ++j)
      add("szsz", i == j ? Estimate{1, 0, 0.5, settings_.samples, true}
                         : pairs[static_cast<std::size_t>(
                               numbers_.pair(std::min(i, j), std::max(i, j)) - numbers_.pairs())]);
}

void WorldLineResults::add_gap(const BlockedNumbers& others, double beta) {
  const Index first = settings_.has_local_gap ? numbers_.local() : numbers_.total();
  const std::vector<double> fractions = numbers_.fractions();
  std::vector<std::vector<double>> of_time;
  std::vector<double> means, errors;
  for (Index k = 0; k < numbers_.times; ++k) {
    const Index number = first - WorldLineNumbers::scalars + k;
    of_time.push_back(others.of_number(number));
    const Estimate average = others.average(number);
    means.push_back(average.value);
    errors.push_back(average.error);
  }
  const auto fitted = [&](std::span<const double> correlation) {
    std::vector<trotter::CorrelationValue> values;
    for (std::size_t k = 0; k < correlation.size(); ++k)
      values.push_back({fractions[k] * beta, correlation[k], errors[k]});
    return trotter::fit_gap(beta, values, *settings_.gap_from * beta);
  };
  const trotter::GapFit fit = fitted(means);
  ++gaps_[static_cast<std::size_t>(fit.outcome)];
  if (fit.outcome != trotter::GapOutcome::found || others.blocks() < 2) {
    add("gap", {fit.gap, unknown, unknown, settings_.samples, false});
    return;
  }
  const std::vector<std::span<const double>> columns(of_time.begin(), of_time.end());
  add("gap", jackknife(columns, 1, [&](std::span<const double> kept) { return fitted(kept).gap; }));
}

void WorldLineResults::write(ResultsGroup& results) const {
  for (const Quantity& quantity : quantities_) write(quantity, results);
  if (points_.size() > 1)
    for (const Quantity& quantity : quantities_) write_extrapolated(quantity, results);
}

std::vector<Index> WorldLineResults::shape_of(const Quantity& quantity) const {
  std::vector<Index> shape{samples_, std::ssize(betas_)};
  shape.insert(shape.end(), quantity.row.begin(), quantity.row.end());
  return shape;
}

void WorldLineResults::write(const Quantity& quantity, ResultsGroup& results) const {
  std::vector<Index> shape = shape_of(quantity);
  shape.insert(shape.begin(), std::ssize(points_));
  results.write(quantity.name, quantity.value, shape, quantity.unit);
  results.write(quantity.name + "_error", quantity.error, shape, quantity.unit);
  results.attach_scale(quantity.name, 2, "temperature");
  results.write(quantity.name + "_reliable", quantity.reliable, shape, "");
  if (!quantity.has_time) return;
  results.write(quantity.name + "_autocorrelation_time", quantity.autocorrelation_time, shape,
                "sweeps");
}

void WorldLineResults::write_extrapolated(const Quantity& quantity, ResultsGroup& results) const {
  const auto L = points_.size();
  std::vector<Index> shape = shape_of(quantity);
  const auto size = static_cast<std::size_t>(product(shape));
  const std::size_t row = static_cast<std::size_t>(product(quantity.row)), T = betas_.size();
  std::vector<double> value, error, chi2, residual(L * size, 0.0);
  for (std::size_t n = 0; n < size; ++n) {
    std::vector<trotter::SlicedValue> values;
    bool has_errors = true, is_constant = true;
    for (std::size_t l = 0; l < L; ++l) {
      values.push_back({betas_[n / row % T] / static_cast<double>(points_[l]),
                        quantity.value[l * size + n], quantity.error[l * size + n]});
      has_errors = has_errors && values[l].error > 0 && std::isfinite(values[l].value) &&
                   std::isfinite(values[l].error);
      is_constant = is_constant && values[l].error == 0 && values[l].value == values[0].value;
    }
    if (!has_errors) {
      value.push_back(is_constant ? values[0].value : unknown);
      error.push_back(is_constant ? 0 : unknown);
      chi2.push_back(is_constant ? 0 : unknown);
      for (std::size_t l = 0; l < L; ++l) residual[l * size + n] = is_constant ? 0 : unknown;
      continue;
    }
    const trotter::Extrapolation fit =
        trotter::extrapolate(values, static_cast<trotter::Power>(settings_.power));
    value.push_back(fit.value);
    error.push_back(fit.error);
    chi2.push_back(fit.chi2);
    for (std::size_t l = 0; l < L; ++l) residual[l * size + n] = fit.residuals[l];
  }
  const std::string name = "extrapolated/" + quantity.name;
  results.write(name, value, shape, quantity.unit);
  results.write(name + "_error", error, shape, quantity.unit);
  results.write(name + "_chi2", chi2, shape, "");
  shape.insert(shape.begin(), static_cast<Index>(L));
  results.write(name + "_residual", residual, shape, "");
}

std::pair<Index, Index> WorldLineResults::unreliable() const {
  Index unreliable = 0, all = 0;
  for (const Quantity& quantity : quantities_) {
    all += std::ssize(quantity.reliable);
    unreliable += std::ranges::count(quantity.reliable, 0.0);
  }
  return {unreliable, all};
}

void WorldLineResults::save(StageMemory& memory) const {
  for (const Quantity& quantity : quantities_) {
    memory.numbers["value_" + quantity.name] = quantity.value;
    memory.numbers["error_" + quantity.name] = quantity.error;
    memory.numbers["reliable_" + quantity.name] = quantity.reliable;
    if (quantity.has_time) memory.numbers["time_" + quantity.name] = quantity.autocorrelation_time;
  }
  memory.integers["gaps"] = {gaps_.begin(), gaps_.end()};
}

void WorldLineResults::load(const StageMemory& memory) {
  for (Quantity& quantity : quantities_) {
    quantity.value = memory.number("value_" + quantity.name);
    quantity.error = memory.number("error_" + quantity.name);
    quantity.reliable = memory.number("reliable_" + quantity.name);
    if (quantity.has_time) quantity.autocorrelation_time = memory.number("time_" + quantity.name);
  }
  for (std::size_t n = 0; n < gaps_.size(); ++n) gaps_[n] = memory.integer("gaps").at(n);
}

}  // namespace larmor::study
