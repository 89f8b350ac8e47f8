#include "larmor/ising/potts/lane_kernels.hpp"

#include "larmor/core/simd/kernels_in_sets.hpp"

namespace larmor::ising {

LARMOR_KERNELS_IN_SETS(LaneKernels, kernels_of_lanes)

const LaneKernels& lane_kernels() {
  static const LaneKernels& here = kernels_of_lanes_in(cpu_instruction_set());
  return here;
}

int updated_exactly(const PottsView& view, const LaneBlock& block, int lane, Index position,
                    std::uint64_t random) {
  return PottsUpdate{view}.updated(StatesOfLane{block.bits, lane}, position, block.first + lane,
                                   random, 0);
}

}  // namespace larmor::ising
