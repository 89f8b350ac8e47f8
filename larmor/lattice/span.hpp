#pragma once
// The directions that a set of vectors spans.

#include <vector>

#include "larmor/core/maths/vec3.hpp"

namespace larmor::lattice {

class Span {
 public:
  /// Radians. A direction within this angle of the span lies in it, because positions are rounded.
  static constexpr double tolerance = 1e-4;

  int dimensions() const { return static_cast<int>(axes_.size()); }

  /// The component of v orthogonal to the span; v itself if the span is empty.
  Vec3<double> outside(Vec3<double> v) const {
    // The second pass removes the rounding error of the first.
    for (int pass = 0; pass < 2; ++pass)
      for (const Vec3<double>& axis : axes_) v = v - dot(axis, v) * axis;
    return v;
  }

  bool holds(const Vec3<double>& v) const { return length(outside(v)) <= tolerance * length(v); }

  void add(const Vec3<double>& v) {
    if (holds(v)) return;
    const Vec3<double> rest = outside(v);
    axes_.push_back((1 / length(rest)) * rest);
  }

 private:
  std::vector<Vec3<double>> axes_;  ///< orthonormal
};

}  // namespace larmor::lattice
