#include "larmor/trotter/gap_fit.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::trotter {
namespace {

/// ln cosh x without overflow.
double ln_cosh(double x) {
  x = std::abs(x);
  return x + std::log1p(std::exp(-2 * x)) - std::log(2.0);
}

GapFit without_gap(GapOutcome outcome) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  return {unknown, unknown, unknown, unknown, 0, outcome};
}

/// The latest value that is clearly above 0. At late times, large gaps leave only noise.
const CorrelationValue& latest_clear(std::span<const CorrelationValue> values) {
  constexpr double clear = 3;
  std::size_t latest = values.size() - 1;
  while (latest > 0 && !(values[latest].value > clear * values[latest].error)) --latest;
  return values[latest];
}

}  // namespace

double effective_gap(double beta, const CorrelationValue& earlier, const CorrelationValue& later) {
  const double ratio = std::log(earlier.value / later.value);
  if (!(earlier.value > 0) || !(later.value > 0) || !(ratio > 0))
    return std::numeric_limits<double>::quiet_NaN();
  const double a = beta / 2 - earlier.tau, b = beta / 2 - later.tau;
  // ln cosh(gap a) - ln cosh(gap b) grows with the gap, from 0 on.
  const auto too_small = [&](double gap) { return ln_cosh(gap * a) - ln_cosh(gap * b) < ratio; };
  double low = 0, high = 1 / beta;
  while (too_small(high)) high *= 2;
  for (int n = 0; n < std::numeric_limits<double>::digits; ++n) {
    const double middle = 0.5 * (low + high);
    (too_small(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

GapFit fit_gap(double beta, std::span<const CorrelationValue> values, double first) {
  std::vector<CorrelationValue> used;
  const double rounding = 1e-12 * beta;
  for (const CorrelationValue& value : values)
    if (value.tau >= first - rounding && value.tau <= beta / 2 + rounding) used.push_back(value);
  if (used.size() < 3)
    throw InputError("a fit of the gap has " + std::to_string(used.size()) + " values",
                     "begin it earlier, or use more slices");
  const CorrelationValue& later = latest_clear(used);
  double gap = effective_gap(beta, used.front(), later);
  if (std::isnan(gap)) return without_gap(GapOutcome::no_decay);
  double ln_A = std::log(later.value) - ln_cosh(gap * (beta / 2 - later.tau));
  // Gauss and Newton: the model is nearly linear in ln A and the gap between the ends of the fit.
  constexpr int most_steps = 100;
  Eigen::MatrixXd slope(std::ssize(used), 2);
  Eigen::VectorXd residual(std::ssize(used));
  bool is_done = false;
  for (int n = 0; n < most_steps && !is_done; ++n) {
    for (Index k = 0; k < std::ssize(used); ++k) {
      const auto& [tau, value, error] = used[static_cast<std::size_t>(k)];
      const double x = beta / 2 - tau, model = std::exp(ln_A + ln_cosh(gap * x));
      residual(k) = (value - model) / error;
      slope(k, 0) = model / error;
      slope(k, 1) = model * x * std::tanh(gap * x) / error;
    }
    const Eigen::VectorXd step = least_squares(slope, residual);
    ln_A += step(0);
    gap += step(1);
    // A negative gap or no number never ends the steps.
    constexpr double converged = 1e-9;
    is_done = std::abs(step(1)) < converged * gap && std::abs(step(0)) < converged;
  }
  const Eigen::MatrixXd covariance = inverse(slope.transpose() * slope);
  const double error = std::sqrt(covariance(1, 1)), chi2 = residual.squaredNorm();
  // An amplitude of zero would also end the steps. Then no value depends on the gap.
  if (!is_done || !std::isfinite(error) || !std::isfinite(chi2))
    return without_gap(GapOutcome::no_convergence);
  return {gap, error, std::exp(ln_A), chi2, std::ssize(used) - 2, GapOutcome::found};
}

}  // namespace larmor::trotter
