#pragma once
// Slots, the places (site, replica) where kernels read and write. Kernels are templates over the
// slot, which defines the number types: `Real` for spins, `Bond` for sums over bonds.

#include "larmor/core/maths/pack.hpp"
#include "larmor/core/maths/precision.hpp"

namespace larmor {
inline namespace LARMOR_ISA_NAMESPACE {

/// One site, the eight replicas of one block (CPU, many replicas).
template <class Numbers = DoubleNumbers>
struct ReplicaPackSlot {
  using Real = PackOf<typename Numbers::Real>;
  using Bond = PackOf<typename Numbers::Bond>;
  using Bits = PackBits;
  Index site;
  Index block;
};

/// One replica, eight consecutive sites, of which only `active` ones count (CPU, one replica).
template <class Numbers = DoubleNumbers>
struct SitePackSlot {
  using Real = PackOf<typename Numbers::Real>;
  using Bond = PackOf<typename Numbers::Bond>;
  using Bits = PackBits;
  Index first_site;  ///< a multiple of eight
  unsigned active;   ///< one bit per lane
};

}  // namespace LARMOR_ISA_NAMESPACE

/// One site of one replica (a CUDA thread, and the slow reference).
template <class Numbers = DoubleNumbers>
struct ScalarSlot {
  using Real = typename Numbers::Real;
  using Bond = typename Numbers::Bond;
  using Bits = std::uint64_t;
  Index site;
  Index replica;
};

}  // namespace larmor
