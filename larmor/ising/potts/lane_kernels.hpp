#pragma once
// Eight replicas of a two-state model in the lanes of a pack. Each position has a byte. Bit l of
// the byte is the state in lane l.
//
// A sum over bonds and a weight in single precision decide nearly every update. If a decision is
// too close to its limit, PottsUpdate makes it. States are therefore those of PottsUpdate.

#include <cstdint>

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

inline constexpr int block_replicas = 8;
/// Largest number of positions of one call of `sum`.
inline constexpr Index positions_of_sum = 1 << 14;

/// The states of one lane, by position.
struct StatesOfLane {
  const std::uint8_t* bits;
  int lane;

  LARMOR_INLINE int operator()(Index position) const { return (bits[position] >> lane) & 1; }
};

/// The decision uses r weight < bar, with a random word r. If this is true, an update accepts a
/// flip, or heat bath draws state 0. The rule computes the weight from 2^(factor local). Here local
/// = h + sum_j J_ij s_j in quanta, with s = 1 in state 0 and s = -1 in state 1. Lanes after the
/// last replica have copies of it.
struct LaneBlock {
  Index first;  ///< number of the first replica
  int replicas;
  std::uint8_t* bits;            ///< [position]
  const std::int32_t* coupling;  ///< in quanta [bond], or [bond][block_replicas]
  bool shares_couplings;         ///< do all lanes have equal couplings?
  float factor[block_replicas], field[block_replicas];
  float bar[block_replicas];     ///< 2^32, or half of this number in a lazy sweep
  float margin[block_replicas];  ///< distance from the bar below which a decision is left open
  bool has_small_sums;           ///< do sums over positions_of_sum positions fit 32 bits?
};

/// Decides exactly, by PottsUpdate. @return the new state of a position in a lane
int updated_exactly(const PottsView& view, const LaneBlock& block, int lane, Index position,
                    std::uint64_t random);

struct LaneKernels {
  int least_replicas;  ///< if there are fewer replicas, updates site by site are faster
  /// `pack` packs the states of a block into bytes, and `unpack` unpacks them, at positions [first,
  /// last).
  void (*pack)(const PottsView& view, const LaneBlock& block, Index first, Index last);
  void (*unpack)(const PottsView& view, const LaneBlock& block, Index first, Index last);
  /// Does one sweep of quads [first, last). @param changes numbers of changes of state, added to
  /// [block_replicas]
  void (*update)(const PottsView& view, const LaneBlock& block, Index first, Index last,
                 std::uint64_t* changes);
  /// Computes the sum of PottsEnergy over positions [first, last), and the numbers of sites in both
  /// states.
  /// @param sums [block_replicas][3]
  void (*sum)(const PottsView& view, const LaneBlock& block, Index first, Index last, Index* sums);
};

/// Kernels for this machine's instruction set.
LARMOR_CPU_KERNELS(LaneKernels, lane_kernels)

}  // namespace larmor::ising
