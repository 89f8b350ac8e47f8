#include "larmor/spinwaves/long_waves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/spinwaves/spectrum.hpp"

namespace larmor::spinwaves {
namespace {

/// The smallest wave vector, times the length of the cell.
constexpr double small = 0.02;
/// Relative deviation from a power law above which another power of k is detected.
constexpr double resolved = 0.05;
/// Smallest resolved frequencies, in units of the upper bound. The second one is for soft modes,
/// since rounding affects the square of their frequency.
constexpr double rounding = 1e-12, rounding_of_soft = 1e-7;

bool reaches_along(const lattice::Geometry& geometry, const Vec3<double>& direction) {
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>& a = geometry.crystal.cell[d];
    if (geometry.periodic[d] && geometry.size[d] > 1 &&
        std::abs(dot(a, direction)) > 1e-9 * length(a))
      return true;
  }
  return false;
}

/// Increase of a branch from its value at zero to its values at k, 2 k and 4 k.
using Increase = std::array<double, 3>;

/// Does the branch grow with this power of k? If the power is higher, a larger contribution of the
/// next power is allowed.
bool follows_power(const Increase& rise, double power) {
  const double ratio = std::pow(2, power);
  return std::abs(rise[1] - ratio * rise[0]) < (ratio - 1) * resolved * std::abs(rise[0]);
}

/// Classifies the branch.
/// @param odd half the difference of w(k) and w(-k)
DispersionForm form_of(const Increase& rise, const Increase& rise_of_square, double odd,
                       double bound) {
  if (odd > std::max(resolved * std::abs(rise[0]), rounding * bound))
    return DispersionForm::one_sided;
  if (std::abs(rise[0]) <= rounding * bound) return DispersionForm::flat;
  if (follows_power(rise, 2)) return DispersionForm::quadratically;
  return follows_power(rise_of_square, 1) ? DispersionForm::with_velocity
                                          : DispersionForm::otherwise;
}

/// The coefficient g(0), extrapolated by g(k) = g(0) + a k + b k^2, where g is the increase over
/// the power of k. The term a k occurs if two branches separate at an odd power.
double coefficient(const Increase& rise, double k, double power) {
  const auto g = [&](std::size_t n, double times) { return rise[n] / std::pow(times * k, power); };
  return (8 * g(0, 1) - 6 * g(1, 2) + g(2, 4)) / 3;
}

/// The lowest frequency at k = 0. It is 0 if a deviation grows, even if only rounding makes it
/// grow.
double lowest_at_zero(const QuadraticHamiltonian& quadratic) {
  const double lowest = frequencies_at(quadratic, {0, 0, 0}).front();
  return lowest > 0 ? lowest : 0;
}

}  // namespace

LongWaves long_waves(const QuadraticHamiltonian& quadratic, const lattice::Geometry& geometry,
                     double cell_length) {
  if (quadratic.needs_commensurate())
    throw InternalError("long waves of an interaction of any range are not smooth at k = 0");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const double w_0 = lowest_at_zero(quadratic), bound = quadratic.bound();
  LongWaves waves{w_0 > rounding_of_soft * bound ? w_0 : 0,
                  {DispersionForm::nowhere, DispersionForm::nowhere, DispersionForm::nowhere},
                  {nan, nan, nan},
                  {nan, nan, nan}};
  const double k = small / cell_length;
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double> direction{d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0, d == 2 ? 1.0 : 0.0};
    if (!reaches_along(geometry, direction)) continue;
    Increase rise{}, rise_of_square{};
    double odd = 0;  // odd part of w(k) at the smallest k
    for (std::size_t n = 0; n < 3; ++n) {
      const double size = k * static_cast<double>(1 << n);
      const double forward = frequencies_at(quadratic, size * direction).front();
      const double backward = frequencies_at(quadratic, -size * direction).front();
      const double w = 0.5 * (forward + backward);
      if (n == 0) odd = 0.5 * std::abs(forward - backward);
      rise[n] = w - w_0;
      rise_of_square[n] = std::sqrt(std::max(0.0, w * w - w_0 * w_0));
    }
    waves.form[d] = form_of(rise, rise_of_square, odd, bound);
    if (waves.form[d] == DispersionForm::quadratically)
      waves.stiffness[d] = coefficient(rise, k, 2);
    else if (waves.form[d] == DispersionForm::with_velocity)
      waves.velocity[d] = coefficient(rise_of_square, k, 1);
  }
  return waves;
}

}  // namespace larmor::spinwaves
