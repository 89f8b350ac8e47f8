#pragma once
// Slots of JIT kernels (spins/jit/stencil_source.hpp): they sum the
// bonds of several sites together, then run the functor of each site with its sum at hand.

#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {
inline namespace LARMOR_ISA_NAMESPACE {

/// One site of one replica, the field of its bonds known.
template <class Numbers>
struct SummedIn : ScalarSlot<Numbers> {
  std::uint32_t canonical;  ///< canonical site
  Vec3<typename Numbers::Real> bond_field;
};

/// The same, with the standard normal deviates of its noise.
template <class Numbers>
struct SummedNoisyIn : SummedIn<Numbers> {
  Vec3<typename Numbers::Real> deviates;
};

/// Where a kernel leaves what is no vector.
struct StencilOutput {
  unsigned long long* counts = nullptr;  ///< moves accepted are added [padded replicas]
  RowTable moment;                       ///< of the sites that sums are over
  /// Sums over the sites of each block of threads. (block of threads, K, 8); for one replica the
  /// eight lanes share its sites
  double* sums = nullptr;
  // Where ranks share the lattice, layers of blocks of threads across the axis along which it is
  // cut: those that are launched, so many from the first on and the others behind a gap, and those
  // of which sums and counts are this process's.
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
