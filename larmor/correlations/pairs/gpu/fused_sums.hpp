#pragma once
// Sums over all pairs of sites on a GPU, on tensor cores if the GPU supports them. Method: Chen,
// Chen, Turner, Feiguin (2023), section 3.4, with phases that factorise.

#include <memory>
#include <span>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

class FusedSums : public PairSums {
 public:
  /// Sums of each block of 128 rows, (number, block of rows), on the device; zeros for the blocks
  /// of other shares. They are added over shares before the totals are computed.
  virtual std::span<double> row_block_sums() = 0;
};

/// Makes the sums. Here totals by distance or displacement are (bin), and settings.squared selects
/// C or C^2.
/// @param share rows that these sums include; if settings.ranks is set, the share of this rank
/// @throws MachineError for split precisions if the GPU has no tensor cores of compute capability
/// 9.0, or if its memory is too small
/// @throws InputError like check(settings) and check(reduction, N), for more than most_groups or
/// most_bins, or if the count of pairs by value in a unit of work would overflow
/// @throws InternalError if settings.largest is needed and missing
std::unique_ptr<FusedSums> make_fused_sums(const Device& device, const PairSettings& settings,
                                           const PairReduction& reduction,
                                           const RowShare& share = {});
inline constexpr Index most_groups = 32;
inline constexpr Index most_bins = most_groups * most_groups;

/// Number of units of work, which multiprocessors share. @param sites number of sites in the
/// lattice
Index fused_units(Index sites);

/// Bytes on the GPU. @param symmetric see set_both
double fourier_sums_bytes(Index sites, Index numbers, Index wave_vectors, PairPrecision precision,
                          bool symmetric);

/// Does this GPU compute the sums on tensor cores, in every precision? If not, it uses plain
/// arithmetic in double precision.
bool has_tensor_core_sums(const Device& device);

/// Signature of make_fused_sums.
using MakeFusedSums = std::unique_ptr<FusedSums> (*)(const Device& device,
                                                     const PairSettings& settings,
                                                     const PairReduction& reduction,
                                                     const RowShare& share);

/// Sums on tensor cores of compute capability 9.0; other code calls make_fused_sums.
/// @return null if the build has no such sums
MakeFusedSums tensor_core_sums();

/// Sums of C and C^2 and numbers of pairs for each bin of distance or displacement. A GPU computes
/// each of the three by a separate sum. Totals are (bin, 3), as on a CPU. @param reduction
/// ByDistance or ByDisplacement
/// @throws like make_fused_sums
std::unique_ptr<PairSums> make_bins_with_counts(const Device& device, const PairSettings& settings,
                                                const PairReduction& reduction);

}  // namespace larmor::correlations::real_space
