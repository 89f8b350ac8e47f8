#pragma once
// Sums over all pairs of sites on a CPU. OpenBLAS computes a tile of C(r,r') as a matrix product.
// The tile is summed while it is in cache.

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// BITS: number of elements of C in a tile of a thread.
inline constexpr Index tile_numbers = 256 * 512;

/// Number of blocks of units of work. Each block has separate sums, and threads share the blocks.
/// @param totals number of totals of a block @param symmetric see set_both
Index tile_sum_blocks(Index sites, Index totals, bool symmetric = false);

/// Sums by distance or displacement always include C^2. Fourier sums need 16 bytes for each site
/// and q in addition to the matrices. Sites without a group cost no work.
/// @throws InputError like check(settings) and check(reduction, N)
std::unique_ptr<PairSums> make_tile_sums(const PairSettings& settings,
                                         const PairReduction& reduction, int threads);

}  // namespace larmor::correlations::real_space
