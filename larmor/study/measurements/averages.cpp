#include "larmor/study/measurements/averages.hpp"

#include <cmath>
#include <numeric>
#include <span>

#include "larmor/study/measurements/disorder_average.hpp"

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
  // Samples too few for an error still have a value.
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

}  // namespace larmor::study
