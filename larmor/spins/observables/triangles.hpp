#pragma once
// The area that three spins span on the unit sphere, with equal bits on every backend, and its sum
// over triangles on a GPU.

#include <cmath>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

/// The signed area Omega in (-2 pi, 2 pi). It is 0 for unit vectors in one plane through the
/// centre. Source: van Oosterom, Strackee, IEEE Trans. Biomed. Eng. 30 (1983) 125.
LARMOR_HD inline double solid_angle(const Vec3<double>& e1, const Vec3<double>& e2,
                                    const Vec3<double>& e3) {
  const double volume = dot(e1, cross(e2, e3));
  // For spins around a great circle, atan2 would give 2 pi with an arbitrary sign.
  if (volume == 0) return 0;
  return 2 * std::atan2(volume, 1 + dot(e1, e2) + dot(e2, e3) + dot(e3, e1));
}

/// Compiled only if CUDA is found.
class TriangleSums {
 public:
  /// @param state a state that has the sites of the corners
  TriangleSums(std::span<const lattice::Triangle> triangles, const SpinState& state);

  /// Sum of solid_angle over all triangles. [padded replicas]
  Pending of_solid_angles(const SpinState& state) const;

 private:
  Index triangles_;
  Array<std::int32_t> corner_;  ///< storage positions (triangle, 3)
};

}  // namespace larmor::spins
