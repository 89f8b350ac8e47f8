#include "larmor/spinwaves/long_waves.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/spinwaves/spectrum.hpp"

namespace larmor::spinwaves {
namespace {

/// Smaller wave vector, times the length of the cell.
constexpr double small = 0.02;
/// A gap, or another power of k, would show by more than this share.
constexpr double resolved = 0.05;

bool reaches_along(const lattice::Geometry& geometry, const Vec3<double>& direction) {
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>& a = geometry.crystal.cell[d];
    if (geometry.periodic[d] && geometry.size[d] > 1 &&
        std::abs(dot(a, direction)) > 1e-9 * length(a))
      return true;
  }
  return false;
}

}  // namespace

LongWaves long_waves(const QuadraticHamiltonian& quadratic, const lattice::Geometry& geometry,
                     double cell_length) {
  if (quadratic.needs_commensurate())
    throw InternalError("the long waves of an interaction of any range were asked for");
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  LongWaves waves{{nan, nan, nan}, {nan, nan, nan}};
  const double k = small / cell_length;
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double> direction{d == 0 ? 1.0 : 0.0, d == 1 ? 1.0 : 0.0, d == 2 ? 1.0 : 0.0};
    if (!reaches_along(geometry, direction)) continue;
    const auto lowest = [&](double size) {
      return 0.5 * (frequencies_at(quadratic, size * direction).front() +
                    frequencies_at(quadratic, -size * direction).front());
    };
    const double near = lowest(k), far = lowest(2 * k);
    if (!(near > 0)) continue;
    // Of g(k) = g(0) + a k + b k^2, two branches that part at an odd power have an a.
    const auto at_zero = [&](double power) {
      const double g = near / std::pow(k, power), g_2 = far / std::pow(2 * k, power),
                   g_4 = lowest(4 * k) / std::pow(4 * k, power);
      return (8 * g - 6 * g_2 + g_4) / 3;
    };
    if (std::abs(far - 4 * near) < 3 * resolved * near)
      waves.stiffness[d] = at_zero(2);
    else if (std::abs(far - 2 * near) < resolved * near)
      waves.velocity[d] = at_zero(1);
  }
  return waves;
}

}  // namespace larmor::spinwaves
