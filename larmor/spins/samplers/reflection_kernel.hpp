#pragma once
// Reflections of spins in the plane normal to a random axis r (U. Wolff, Phys. Rev. Lett. 62, 361
// (1989)). They act on clusters that reflection_cluster_view.hpp finds. A site is a storage
// position.

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/simd/views.hpp"
#include "larmor/spins/state/random_direction.hpp"

namespace larmor::spins {

/// The spins, and the axis of each replica.
struct ReflectionView {
  SpinLayout layout;
  Reals spins;
  double* axis;  ///< (replica, 3)
};

inline namespace LARMOR_ISA_NAMESPACE {

/// BITS: draws the axis of a replica at a step, uniform on the sphere.
LARMOR_INLINE void draw_axis(const ReflectionView& view, const RandomKey& key, Index replica) {
  const Vec3<double> r =
      random_direction(key, std::uint64_t{0}, static_cast<std::uint64_t>(replica));
  double* const axis = view.axis + 3 * replica;
  axis[0] = r.x;
  axis[1] = r.y;
  axis[2] = r.z;
}

template <class Real>
LARMOR_INLINE Vec3<Real> axis_of(const ReflectionView& view, Index replica) {
  const double* const axis = view.axis + 3 * replica;
  return {static_cast<Real>(axis[0]), static_cast<Real>(axis[1]), static_cast<Real>(axis[2])};
}

/// BITS: r.e is computed in the precision of spins and then converted to float.
/// @param r axis_of the replica of the slot
template <class Real, class At>
LARMOR_INLINE float projection(const ReflectionView& view, const Vec3<Real>& r, const At& at) {
  return static_cast<float>(dot(VectorView(view.spins, view.layout).load(at), r));
}

/// e - 2 (r.e) r, normalised.
template <class Real>
LARMOR_INLINE Vec3<Real> reflected(const Vec3<Real>& e, const Vec3<Real>& r) {
  return renormalised(e - (Real(2.0) * dot(e, r)) * r);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
