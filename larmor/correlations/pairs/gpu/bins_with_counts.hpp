#pragma once
// C, C^2 and the number of pairs of each bin of distance or displacement on a GPU, which has a sum
// of its own for each (fused_sums.hpp).

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// Totals are (bin, 3), as a CPU sums them at once. @param reduction ByDistance or ByDisplacement
/// @throws as make_fused_sums
std::unique_ptr<PairSums> make_bins_with_counts(const Device& device, const PairSettings& settings,
                                                const PairReduction& reduction);

}  // namespace larmor::correlations::real_space
