#pragma once
// Slots of JIT kernels (spins/jit/stencil_source.hpp). These kernels first sum the bonds of several
// sites together. After that they run the functor for each site with its sum.

#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// One site of one replica, with the field of its bonds.
template <class Numbers>
struct SummedIn : ScalarSlot<Numbers> {
  std::uint32_t canonical;  ///< canonical site
  Vec3<typename Numbers::Real> bond_field;
};

/// A SummedIn with the standard normal deviates of its noise.
template <class Numbers>
struct SummedNoisyIn : SummedIn<Numbers> {
  Vec3<typename Numbers::Real> deviates;
};

/// Output of a kernel in addition to vectors.
struct StencilOutput {
  unsigned long long* counts = nullptr;  ///< accepted moves are added [padded replicas]
  RowTable moment;                       ///< moments of the sites in the sums
  /// K sums over the sites of each thread block. (thread block, K, 8). For several replicas, 8
  /// counts replicas. For one replica, these eight sums must be added.
  double* sums = nullptr;
  // These numbers are used if ranks share the lattice. They count layers of thread blocks along the
  // cut axis. A launch covers `layers` layers: `layers_before_gap` of them from `first_layer` on,
  // and the rest after a gap of `gap` layers. Sums and counts of this process cover the layers
  // [counted_from, counted_to).
  unsigned first_layer = 0, layers = 0;
  unsigned layers_before_gap = 0, gap = 0;
  unsigned counted_from = 0, counted_to = 0;
};

template <class Numbers, class Number>
struct ReplicaValues<SummedIn<Numbers>, Number> : ReplicaValues<ScalarSlot<Numbers>, Number> {
  using ReplicaValues<ScalarSlot<Numbers>, Number>::ReplicaValues;
};
template <class Numbers, class Number>
struct ReplicaValues<SummedNoisyIn<Numbers>, Number> : ReplicaValues<ScalarSlot<Numbers>, Number> {
  using ReplicaValues<ScalarSlot<Numbers>, Number>::ReplicaValues;
};

template <class Numbers>
LARMOR_INLINE std::uint64_t canonical_sites(const SummedIn<Numbers>& at, const std::int32_t*) {
  return at.canonical;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
