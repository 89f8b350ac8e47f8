#include "larmor/study/measurements/averages.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "larmor/core/statistics/replicas.hpp"

namespace larmor::study {
namespace {

/// x / y; a numerator of 0 gives 0.
double ratio(double x, double y) { return x == 0 ? 0 : x / y; }

}  // namespace

std::vector<double> lengths(const std::vector<double>& vectors) {
  std::vector<double> norm;
  for (std::size_t i = 0; i + 2 < vectors.size(); i += 3)
    norm.push_back(std::hypot(vectors[i], vectors[i + 1], vectors[i + 2]));
  return norm;
}

std::vector<double> ratios(const std::vector<double>& pairs) {
  std::vector<double> values;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
    values.push_back(ratio(pairs[i], pairs[i + 1]));
  return values;
}

Estimate ratio_of_means(const std::vector<double>& pairs, Index replicas, Index of_sample) {
  std::vector<double> above, below;
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    above.push_back(pairs[i]);
    below.push_back(pairs[i + 1]);
  }
  const DerivedQuantity quantity = [](std::span<const double> x) { return ratio(x[0], x[1]); };
  Estimate result = of_sample > 0 ? of_disorder_means({above, below}, replicas, of_sample, quantity)
                                  : jackknife({above, below}, replicas, quantity);
  // If samples are too few for an error, the estimate still has a value.
  if (std::isnan(result.value))
    result.value = ratio(std::accumulate(above.begin(), above.end(), 0.0),
                         std::accumulate(below.begin(), below.end(), 0.0));
  return result;
}

Estimate scaled(Estimate estimate, double factor) {
  estimate.value *= factor;
  estimate.error *= std::abs(factor);
  return estimate;
}

namespace {

std::vector<double> series_of(std::span<const double> series, Index replicas, Index replica) {
  std::vector<double> own;
  for (auto i = static_cast<std::size_t>(replica); i < series.size();
       i += static_cast<std::size_t>(replicas))
    own.push_back(series[i]);
  return own;
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value - x.front();
  return x.front() + sum / static_cast<double>(x.size());
}

/// @param values one for each replica
/// @param tau autocorrelation time of all replicas together
Estimate from_replicas(const std::vector<double>& values, Index of_sample, double tau,
                       std::size_t size) {
  const auto replicas = static_cast<Index>(values.size());
  Estimate result = estimate_independent(group_means(values, of_sample));
  result.autocorrelation_time = tau / static_cast<double>(replicas);
  result.samples = static_cast<Index>(size);
  result.reliable = result.reliable && static_cast<double>(result.samples) >= 5 * tau;
  return result;
}

}  // namespace

Estimate disorder_mean(std::span<const double> series, Index replicas, Index of_sample) {
  std::vector<double> means;
  double tau = 0;
  for (Index r = 0; r < replicas && !series.empty(); ++r) {
    const std::vector<double> own = series_of(series, replicas, r);
    means.push_back(mean_of(own));
    tau += estimate(own).autocorrelation_time;
  }
  if (means.empty()) return estimate({});
  return from_replicas(means, of_sample, tau, series.size());
}

Estimate disorder_mean_of(const std::vector<std::span<const double>>& columns, Index replicas,
                          Index of_sample, const DerivedQuantity& quantity) {
  std::vector<double> values;
  double tau = 0;
  for (Index r = 0; r < replicas; ++r) {
    std::vector<std::vector<double>> own;
    for (const auto& column : columns) own.push_back(series_of(column, replicas, r));
    const Estimate e = jackknife({own.begin(), own.end()}, 1, quantity);
    values.push_back(e.value);
    tau += e.autocorrelation_time;
  }
  return from_replicas(values, of_sample, tau, columns.front().size());
}

Estimate of_disorder_means(const std::vector<std::span<const double>>& columns, Index replicas,
                           Index of_sample, const DerivedQuantity& quantity) {
  std::vector<std::vector<double>> means;
  double tau = 0;
  bool reliable = true;
  for (const auto& column : columns) {
    const Estimate e = disorder_mean(column, replicas, of_sample);
    tau = std::max(e.autocorrelation_time, tau);
    reliable = reliable && e.reliable;
    std::vector<double> of_replicas;
    for (Index r = 0; r < replicas; ++r)
      of_replicas.push_back(mean_of(series_of(column, replicas, r)));
    means.push_back(group_means(of_replicas, of_sample));
  }
  Estimate result = jackknife({means.begin(), means.end()}, std::ssize(means.front()), quantity);
  result.autocorrelation_time = tau;
  result.samples = static_cast<Index>(columns.front().size());
  result.reliable = reliable && std::isfinite(result.error);
  return result;
}

}  // namespace larmor::study
