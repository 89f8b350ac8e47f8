#include "larmor/io/structures/directed_bonds.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"

namespace larmor::io {
namespace {

/// diag(signs) times the permutation of the axes.
Mat3<double> signed_permutation(const std::array<int, 3>& axes, int signs) {
  Mat3<double> m{};
  for (std::size_t d = 0; d < 3; ++d) {
    const double sign = (signs >> d & 1) != 0 ? -1 : 1;
    m.row[d] = {axes[d] == 0 ? sign : 0, axes[d] == 1 ? sign : 0, axes[d] == 2 ? sign : 0};
  }
  return m;
}

/// The rotation by k 60 degrees about z, times mirrors of y and z.
Mat3<double> hexagonal_operation(int k, double y, double z) {
  const double c = std::cos(k * M_PI / 3);
  const double s = std::sin(k * M_PI / 3);
  return {{{c, -s * y, 0}, {s, c * y, 0}, {0, 0, z}}};
}

}  // namespace

std::vector<Mat3<double>> uppasd_operations(const std::string& symmetry) {
  const std::vector<std::string> names{"none", "cubic", "square", "hexagonal"};
  if (std::find(names.begin(), names.end(), symmetry) == names.end())
    throw InputError("there is no symmetry \"" + symmetry + "\"",
                     "the symmetries are " + comma_list(names));
  std::vector<Mat3<double>> result;
  if (symmetry == "none") result.push_back(signed_permutation({0, 1, 2}, 0));
  if (symmetry == "square")
    for (const std::array<int, 3>& axes : {std::array{0, 1, 2}, std::array{1, 0, 2}})
      for (int signs = 0; signs < 4; ++signs) result.push_back(signed_permutation(axes, signs));
  if (symmetry == "cubic") {
    std::array<int, 3> axes{0, 1, 2};
    do {
      for (int signs = 0; signs < 8; ++signs) result.push_back(signed_permutation(axes, signs));
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  if (symmetry == "hexagonal")
    for (const double z : {1.0, -1.0})
      for (const double y : {1.0, -1.0})
        for (int k = 0; k < 6; ++k) result.push_back(hexagonal_operation(k, y, z));
  return result;
}

std::optional<DirectedBond> bond_to(const lattice::Crystal& crystal, int from,
                                    const Vec3<double>& r, double tolerance) {
  const Vec3<double> f =
      crystal.basis[static_cast<std::size_t>(from)].fractional + crystal.fractional(r);
  for (std::size_t to = 0; to < crystal.basis.size(); ++to) {
    const Vec3<double> d = f - crystal.basis[to].fractional;
    const Vec3<double> n{std::round(d.x), std::round(d.y), std::round(d.z)};
    if (length(crystal.cartesian(d - n)) < tolerance)
      return DirectedBond{from,
                          static_cast<int>(to),
                          {static_cast<int>(n.x), static_cast<int>(n.y), static_cast<int>(n.z)}};
  }
  return std::nullopt;
}

bool fits(const lattice::Geometry& geometry, const DirectedBond& bond) {
  for (std::size_t d = 0; d < 3; ++d)
    if (!geometry.periodic[d] && std::abs(bond.offset[d]) >= geometry.size[d]) return false;
  return true;
}

}  // namespace larmor::io
