#pragma once
// Sums of C, C^2 and the number of pairs for each bin of distance or displacement on a GPU. Each is
// a separate sum (fused_sums.hpp).

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// Totals are (bin, 3), as on a CPU. @param reduction ByDistance or ByDisplacement
/// @throws like make_fused_sums
std::unique_ptr<PairSums> make_bins_with_counts(const Device& device, const PairSettings& settings,
                                                const PairReduction& reduction);

}  // namespace larmor::correlations::real_space
