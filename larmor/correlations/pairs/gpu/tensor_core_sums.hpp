#pragma once
// Sums over pairs on tensor cores of compute capability 9.0; other code includes fused_sums.hpp.

#include "larmor/correlations/pairs/gpu/fused_sums.hpp"

namespace larmor::correlations::real_space {

/// Signature of make_fused_sums.
using MakeFusedSums = std::unique_ptr<FusedSums> (*)(const Device& device,
                                                     const PairSettings& settings,
                                                     const PairReduction& reduction,
                                                     const RowShare& share);

/// @return null if the build has no such sums
MakeFusedSums tensor_core_sums();

}  // namespace larmor::correlations::real_space
