#pragma once
// Sums over all pairs of sites on a GPU, by its tensor cores where they are known (Chen, Chen,
// Turner, Feiguin (2023), section 3.4, with phases that factorise).

#include <memory>
#include <span>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

class FusedSums : public PairSums {
 public:
  /// Sums of the panels of 128 rows, on the device, those of other shares 0: added up over shares
  /// before the totals. (number, panel)
  virtual std::span<double> tile_sums() = 0;
};

/// Totals by distance or displacement are (bin) here, of C or of C^2 as settings.squared says.
/// @param share of the rows that is summed here; where settings.ranks are given, that of this rank
/// @throws MachineError for split precisions where the GPU has no tensor cores of compute
/// capability 9.0, or where its memory is short
/// @throws InputError as check(settings) and check(reduction, N), for more than most_groups or
/// most_bins, or for so many sites that a unit of work has no room for its count of pairs by value
/// @throws InternalError where settings.largest is needed and not given
std::unique_ptr<FusedSums> make_fused_sums(const Device& device, const PairSettings& settings,
                                           const PairReduction& reduction,
                                           const RowShare& share = {});
inline constexpr Index most_groups = 32;
inline constexpr Index most_bins = most_groups * most_groups;

/// Pieces that they are cut into, which multiprocessors share.
Index fused_pieces(Index sites);

/// Bytes that they take on the GPU.
/// @param symmetric set_both
double fourier_sums_bytes(Index sites, Index numbers, Index wave_vectors, PairPrecision precision,
                          bool symmetric);

/// Does this GPU make them by tensor cores, and in every precision? Others do it by plain
/// arithmetic in double precision.
bool has_tensor_core_sums(const Device& device);

}  // namespace larmor::correlations::real_space
