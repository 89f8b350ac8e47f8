#pragma once
// Sums over all pairs of sites on a CPU. A tile of C(r,r') comes from a matrix product by OpenBLAS
// and is summed while it is in cache.

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// BITS: numbers of C in a thread's tile.
inline constexpr Index tile_numbers = 256 * 512;

/// Number of blocks of units of work. Each block has separate sums, and threads share the blocks.
/// @param totals number of totals of a block @param symmetric see set_both
Index tile_sum_blocks(Index sites, Index totals, bool symmetric = false);

/// Sums by distance or displacement always include C^2. Fourier sums need 16 bytes for each site
/// and q in addition to the matrices. Sites without a group cost nothing.
/// @throws InputError like check(settings) and check(reduction, N)
std::unique_ptr<PairSums> make_tile_sums(const PairSettings& settings,
                                         const PairReduction& reduction, int threads);

}  // namespace larmor::correlations::real_space
