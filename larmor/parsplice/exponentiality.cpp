#include "larmor/parsplice/exponentiality.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

/// Stephens' fits of the distribution for an estimated mean.
double p_value_of(double A) {
  if (A < 0.26) return 1 - std::exp(-12.2204 + 67.459 * A - 110.3 * A * A);
  if (A < 0.51) return 1 - std::exp(-6.1327 + 20.218 * A - 18.663 * A * A);
  if (A < 0.95) return std::exp(0.9209 - 3.353 * A + 0.3 * A * A);
  // The fit has its minimum at A = 10, where p is below 1e-6.
  const double most = std::min(A, 10.0);
  return std::exp(0.731 - 3.009 * most + 0.15 * most * most);
}

}  // namespace

Exponentiality exponentiality(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  if (times.size() < 5 || !(times.front() > 0))
    throw InternalError("the test of exponentials needs five positive times");
  const auto n = static_cast<double>(times.size());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / n;
  double sum = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double below = std::log(-std::expm1(-times[i] / mean));
    const double above = -times[times.size() - 1 - i] / mean;
    sum += (2 * static_cast<double>(i) + 1) * (below + above);
  }
  const double statistic = (-n - sum / n) * (1 + 0.6 / n);
  return {statistic, p_value_of(statistic)};
}

}  // namespace larmor::parsplice
