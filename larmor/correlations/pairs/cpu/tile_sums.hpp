#pragma once
// Sums over all pairs of sites on the CPU: a tile of C(r,r') at a time, a panel of rows by a
// segment of columns that stays in cache, comes from a matrix product by OpenBLAS and is summed
// there.

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// BITS: numbers of C that a thread has at a time.
inline constexpr Index panel_tile_numbers = 256 * 512;

/// Pieces that sums of so many totals are cut into, each with sums of its own; threads share them.
/// @param symmetric set_both
Index panel_pieces(Index sites, Index totals, bool symmetric = false);

/// By distance or displacement C^2 is summed too, whatever the settings. Fourier sums take 16 bytes
/// a site and q besides the matrices; sites of no group cost nothing.
/// @throws InputError as check(settings) and check(reduction, N)
std::unique_ptr<PairSums> make_tile_sums(const PairSettings& settings,
                                         const PairReduction& reduction, int threads);

}  // namespace larmor::correlations::real_space
