#include "larmor/atoms/system/named_structure.hpp"

namespace larmor::atoms {
namespace {

/// A unit vector that is perpendicular to `others`. It is a part of the coordinate axis that has
/// the longest such part.
Vec3<double> perpendicular(const std::vector<Vec3<double>>& others) {
  std::vector<Vec3<double>> basis;
  const auto rejected = [&](Vec3<double> v) {
    for (const Vec3<double>& e : basis) v = v - dot(v, e) * e;
    return v;
  };
  for (const Vec3<double>& other : others) {
    const Vec3<double> v = rejected(other);
    if (length(v) > 1e-9 * length(other)) basis.push_back((1 / length(v)) * v);
  }
  Vec3<double> best{};
  for (const Vec3<double>& axis : {Vec3<double>{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})
    if (const Vec3<double> v = rejected(axis); length(v) > length(best) + 1e-9) best = v;
  return (1 / length(best)) * best;
}

}  // namespace

Box box_of(const std::optional<std::array<Vec3<double>, 3>>& cell,
           const std::array<bool, 3>& periodic) {
  Box box{cell ? *cell : std::array<Vec3<double>, 3>{}, periodic};
  for (std::size_t d = 0; d < 3; ++d) {
    if (periodic[d] || length(box.vectors[d]) > 0) continue;
    std::vector<Vec3<double>> others;
    for (std::size_t other = 0; other < 3; ++other)
      if (length(box.vectors[other]) > 0) others.push_back(box.vectors[other]);
    box.vectors[d] = perpendicular(others);
  }
  return box;
}

}  // namespace larmor::atoms
