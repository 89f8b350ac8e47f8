#include "larmor/lattice/periods.hpp"

namespace larmor::lattice {

std::vector<Vec3<double>> periods_of(const Geometry& geometry) {
  std::vector<Vec3<double>> periods;
  for (std::size_t d = 0; d < 3; ++d)
    if (geometry.periodic[d])
      periods.push_back(static_cast<double>(geometry.size[d]) * geometry.crystal.cell[d]);
  return periods;
}

}  // namespace larmor::lattice
