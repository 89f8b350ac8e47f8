#include "larmor/spinwaves/long_waves.hpp"

#include <cmath>
#include <limits>

#include "larmor/core/error.hpp"
#include "larmor/spinwaves/spectrum.hpp"

namespace larmor::spinwaves {
namespace {

/// Smaller wave vector, times the length of the cell.
constexpr double small = 0.05;
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
    if (std::abs(far - 4 * near) < 3 * resolved * near)
      waves.stiffness[d] = (16 * near - far) / (12 * k * k);
    else if (std::abs(far - 2 * near) < resolved * near)
      waves.velocity[d] = (8 * near - far) / (6 * k);
  }
  return waves;
}

}  // namespace larmor::spinwaves
