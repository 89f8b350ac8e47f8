#pragma once
// The test whether a list of neighbours is still valid (neighbour_list.hpp).

#include "larmor/atoms/cell/box.hpp"

namespace larmor::atoms {

/// The linear map h h0^-1 that takes the vectors h0 of one box to the vectors h of another box.
LARMOR_INLINE Mat3<double> map_between(const Box& from, const Box& to) {
  const auto& [a, b, c] = from.vectors;
  const double inverse = 1 / dot(a, cross(b, c));
  const std::array<Vec3<double>, 3> reciprocal{inverse * cross(b, c), inverse * cross(c, a),
                                               inverse * cross(a, b)};
  Mat3<double> map{};
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>& v = to.vectors[d];
    map = map + Mat3<double>{{v.x * reciprocal[d], v.y * reciprocal[d], v.z * reciprocal[d]}};
  }
  return map;
}

LARMOR_INLINE bool is_same(const Box& a, const Box& b) {
  for (std::size_t d = 0; d < 3; ++d) {
    const Vec3<double>&v = a.vectors[d], &w = b.vectors[d];
    if (v.x != w.x || v.y != w.y || v.z != w.z || a.periodic[d] != b.periodic[d]) return false;
  }
  return true;
}

/// How far atoms may have moved relative to the box since the last search.
struct ListValidity {
  Mat3<double> map;  ///< A in neighbour_list.hpp
  double allowed;    ///< largest |x_i - A x0_i|; negative or NaN: the box has changed too much

  /// @param from box of the search @param to current box
  LARMOR_INLINE static ListValidity between(const Box& from, const Box& to, double cutoff,
                                            double skin) {
    const Mat3<double> unit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const bool same = is_same(from, to);
    const Mat3<double> map = same ? unit : map_between(from, to);
    const double strain = same ? 0 : frobenius_norm(map + -1.0 * unit);
    return {map, 0.5 * ((1 - strain) * (cutoff + skin) - cutoff)};
  }

  /// Has the box changed too much since the search?
  LARMOR_INLINE bool is_outdated() const { return !(allowed >= 0); }
  /// Has an atom moved too far since the search? @param first position of the atom at the search
  LARMOR_INLINE bool is_outdated_by(const Vec3<double>& position, const Vec3<double>& first) const {
    const Vec3<double> moved = position - map * first;
    return !(dot(moved, moved) <= allowed * allowed);
  }
};

}  // namespace larmor::atoms
