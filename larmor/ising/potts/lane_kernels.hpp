#pragma once
// Eight replicas of a model of two states side by side. A position has a byte, bit l of which is
// its state in lane l.
//
// A sum over bonds and a weight in single precision decide nearly every update. What they leave
// open, because it is near to a limit, PottsUpdate decides. So states are those of PottsUpdate.

#include <cstdint>

#include "larmor/ising/potts/potts_kernel.hpp"

namespace larmor::ising {

inline constexpr int block_replicas = 8;
/// So many at a time are summed at most.
inline constexpr Index positions_of_sum = 1 << 14;

/// The states of one lane, by position.
struct StatesOfLane {
  const std::uint8_t* bits;
  int lane;

  LARMOR_INLINE int operator()(Index position) const { return (bits[position] >> lane) & 1; }
};

/// An update leads to a state where r weight < bar, with a random word r and the weight
/// 2^(factor local), or what the rule makes of it. local = h + sum_j J_ij s_j, with s = 1 in state
/// 0 and -1 in state 1, is in quanta. Lanes behind the last replica have copies of it.
struct LaneBlock {
  Index first;  ///< replica
  int replicas;
  std::uint8_t* bits;            ///< [position]
  const std::int32_t* coupling;  ///< in quanta [bond], or [bond][block_replicas]
  bool shares_couplings;         ///< Do all lanes have the same?
  float factor[block_replicas], field[block_replicas];
  float bar[block_replicas];     ///< 2^32, or of a lazy sweep half of it
  float margin[block_replicas];  ///< how near to the bar a decision is left open
  bool has_small_sums;           ///< Do sums over positions_of_sum positions fit 32 bits?
};

/// The exact decision. @return the state that the position of a lane comes to
int updated_exactly(const PottsView& view, const LaneBlock& block, int lane, Index position,
                    std::uint64_t random);

struct LaneKernels {
  int least_replicas;  ///< fewer are faster site by site
  /// Puts states of the block side by side, and back: positions [first, last).
  void (*pack)(const PottsView& view, const LaneBlock& block, Index first, Index last);
  void (*unpack)(const PottsView& view, const LaneBlock& block, Index first, Index last);
  /// One sweep of quads [first, last). @param changes of state, added to [block_replicas]
  void (*update)(const PottsView& view, const LaneBlock& block, Index first, Index last,
                 std::uint64_t* changes);
  /// Of positions [first, last): the sum of PottsEnergy, and sites in each state.
  /// @param sums [block_replicas][3]
  void (*sum)(const PottsView& view, const LaneBlock& block, Index first, Index last, Index* sums);
};

/// For this machine's instruction set.
const LaneKernels& lane_kernels();

}  // namespace larmor::ising
