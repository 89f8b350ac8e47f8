#pragma once
// Loads the spin of the replica before or after that of a slot. Images of a path are adjacent
// replicas.

#include "larmor/core/simd/views.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// The spin at the site of the slot in replica r + Shift, where r is the replica of the slot and
/// Shift is 1 or -1. If replica r + Shift does not exist, the spin of the slot itself.
template <int Shift, class Numbers>
LARMOR_INLINE Vec3<typename Numbers::Real> load_neighbour_image(const VectorView& view,
                                                                const SpinLayout& layout,
                                                                const ScalarSlot<Numbers>& at) {
  ScalarSlot<Numbers> other = at;
  const Index replica = at.replica + Shift;
  if (replica >= 0 && replica < layout.padded_replicas()) other.replica = replica;
  return view.load(other);
}

template <int Shift, class Numbers>
LARMOR_INLINE Vec3<PackOf<typename Numbers::Real>> load_neighbour_image(
    const VectorView& view, const SpinLayout& layout, const ReplicaPackSlot<Numbers>& at) {
  using Pack = PackOf<typename Numbers::Real>;
  constexpr int edge = Shift > 0 ? lane_count - 1 : 0;
  const Index first = at.block * lane_count;
  const ScalarSlot<Numbers> last{at.site, first + edge};
  const Vec3<typename Numbers::Real> at_edge = load_neighbour_image<Shift>(view, layout, last);
  const Vec3<Pack> own = view.load(at);
  const auto shifted = [&](const Pack& x, typename Numbers::Real beyond) {
    Pack r;
    for (int l = 0; l < lane_count; ++l)
      if (l != edge) r.set(l, x.lane(l + Shift));
    r.set(edge, beyond);
    return r;
  };
  return {shifted(own.x, at_edge.x), shifted(own.y, at_edge.y), shifted(own.z, at_edge.z)};
}

/// A single replica has no neighbour.
template <int Shift, class Numbers>
LARMOR_INLINE Vec3<PackOf<typename Numbers::Real>> load_neighbour_image(
    const VectorView& view, const SpinLayout&, const SitePackSlot<Numbers>& at) {
  return view.load(at);
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
