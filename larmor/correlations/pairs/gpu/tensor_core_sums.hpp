#pragma once
// Sums over pairs by tensor cores of compute capability 9.0; fused_sums.hpp is what others use.

#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {

/// As make_fused_sums.
using MakeFusedSums = std::unique_ptr<FusedSums> (*)(const Device& device,
                                                     const PairSettings& settings,
                                                     const PairReduction& reduction,
                                                     const RowShare& share);

/// @return null where the build has none
MakeFusedSums tensor_core_sums();

}  // namespace larmor::correlations::real_space
