#include "larmor/study/lattice/wave_axes.hpp"

namespace larmor::study {
namespace {

double component(const Vec3<double>& v, std::size_t axis) {
  return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

}  // namespace

std::vector<overlaps::WaveAxis> wave_axes(const lattice::Geometry& geometry) {
  std::vector<overlaps::WaveAxis> axes;
  if (!geometry.is_lattice()) return axes;
  for (std::size_t axis = 0; axis < geometry.size.size(); ++axis) {
    if (!geometry.periodic[axis] || geometry.size[axis] < 2) continue;
    std::vector<double> position;
    position.reserve(static_cast<std::size_t>(geometry.sites()));
    for (Index site = 0; site < geometry.sites(); ++site) {
      const lattice::SiteIndex at = geometry.decode(site);
      const auto& atom = geometry.crystal.basis[static_cast<std::size_t>(at.basis)];
      position.push_back(static_cast<double>(at.cell[axis]) + component(atom.fractional, axis));
    }
    axes.push_back(overlaps::wave_axis(static_cast<double>(geometry.size[axis]), position));
  }
  return axes;
}

std::vector<double> lengths_of(const std::vector<overlaps::WaveAxis>& axes) {
  std::vector<double> lengths;
  for (const overlaps::WaveAxis& axis : axes) lengths.push_back(axis.length);
  return lengths;
}

}  // namespace larmor::study
