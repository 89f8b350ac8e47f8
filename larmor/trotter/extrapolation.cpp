#include "larmor/trotter/extrapolation.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"

namespace larmor::trotter {

double Extrapolation::at(double dtau) const {
  double value = 0;
  for (std::size_t n = coefficients.size(); n-- > 0;) value = value * dtau * dtau + coefficients[n];
  return value;
}

Extrapolation extrapolate(std::span<const SlicedValue> values, Power highest) {
  const Index count = static_cast<int>(highest) / 2 + 1;
  std::set<double> steps;
  for (const SlicedValue& value : values) {
    steps.insert(value.dtau);
    if (!(value.error > 0) || !std::isfinite(value.error) || !std::isfinite(value.value))
      throw InputError("a value at dtau = " + std::to_string(value.dtau) + " has no error",
                       "measure longer, or with several replicas");
  }
  if (std::ssize(steps) < count)
    throw InputError("an extrapolation with " + std::to_string(count) + " coefficients has " +
                         std::to_string(steps.size()) + " time steps",
                     "simulate at least " + std::to_string(count) + " numbers of slices");
  // In units of the longest step, all columns have similar sizes.
  const double unit = *steps.rbegin();
  Eigen::MatrixXd A(std::ssize(values), count);
  Eigen::VectorXd b(std::ssize(values));
  for (Index n = 0; n < std::ssize(values); ++n) {
    const auto& [dtau, value, error] = values[static_cast<std::size_t>(n)];
    const double x = dtau / unit * (dtau / unit);
    for (Index k = 0; k < count; ++k) A(n, k) = std::pow(x, k) / error;
    b(n) = value / error;
  }
  const Eigen::VectorXd a = least_squares(A, b);
  const Eigen::MatrixXd covariance = inverse(A.transpose() * A);
  const Eigen::VectorXd residuals = b - A * a;
  Extrapolation fit;
  fit.value = a(0);
  fit.error = std::sqrt(covariance(0, 0));
  for (Index k = 0; k < count; ++k) fit.coefficients.push_back(a(k) / std::pow(unit * unit, k));
  fit.residuals.assign(residuals.begin(), residuals.end());
  fit.chi2 = residuals.squaredNorm();
  fit.freedom = std::ssize(values) - count;
  return fit;
}

}  // namespace larmor::trotter
