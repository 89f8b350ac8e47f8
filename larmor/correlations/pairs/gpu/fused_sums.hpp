#pragma once
// Sums over all pairs of sites of the correlation C(r,r') = sum_k a_{r,k} b_{r',k} on a GPU, by
// its tensor cores where they are known, without C ever being stored: O(N K) memory, 2 N^2 K
// operations (Chen, Chen, Turner, Feiguin (2023), section 3.4, with phases that factorise).
//
// The matrices a and b, (site, k) with k fastest, are spins of M configurations at two times:
// k = 3 m + component (spin_matrix.hpp).

#include <cstdint>
#include <memory>
#include <span>

#include "larmor/core/device/pending.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

class FusedSums {
 public:
  virtual ~FusedSums() = default;
  /// The matrix b. @param matrix on the device, (site, k)
  virtual void set_columns(const double* matrix) = 0;
  /// The matrix a. @param matrix on the device, (site, k)
  virtual void set_rows(const double* matrix) = 0;
  /// The same matrix for both: C is symmetric then, and half of the pairs will do.
  virtual void set_both(const double* matrix) = 0;
  /// Launches the sums of the matrices as they are, over one part of this share of the rows. Parts
  /// come in order: the first forgets what was summed before.
  virtual void launch(const RowShare& part = {}) = 0;
  /// Sums of the panels of 128 rows, on the device, those of other shares 0: to be added up over
  /// shares before `totals`. (number, panel)
  virtual std::span<double> panel_sums() = 0;
  /// The totals, on their way to the host; the same bits for any number of shares and parts.
  /// (number)
  virtual Pending totals() = 0;
};

/// sum_rr' exp(-i q.(r - r')) C(r,r') or C^2; totals are (q, re im).
/// @param q in 1 / length @param position (site)
/// @throws MachineError for split precisions where the GPU has no tensor cores of compute
/// capability 9.0, or where its memory is short
std::unique_ptr<FusedSums> make_fourier_sums(const Device& device, const PairSettings& settings,
                                             std::span<const Vec3<double>> q,
                                             std::span<const Vec3<double>> position,
                                             const RowShare& share = {});

/// Sums over pairs whose site r is in group g and r' in group g'; totals are (g, g').
/// @param group of each site, from 0; -1: none @param largest |a_r.b_r'| there can be: sums are
/// exact integers in units of 2^-61 of the greatest sum of a unit, so that their order changes no
/// bit
/// @throws MachineError as above @throws InputError for more than most_groups
std::unique_ptr<FusedSums> make_group_sums(const Device& device, const PairSettings& settings,
                                           std::span<const std::int32_t> group, Index groups,
                                           double largest, const RowShare& share = {});
inline constexpr Index most_groups = 32;

/// Sums over pairs by their distance; pairs beyond the last bin are left out. Totals are (bin).
/// @param largest as above
/// @throws MachineError as above @throws InputError for more than most_bins, or periods that are
/// none
std::unique_ptr<FusedSums> make_distance_sums(const Device& device, const PairSettings& settings,
                                              std::span<const Vec3<double>> position,
                                              const DistanceBins& bins, double largest,
                                              const RowShare& share = {});
inline constexpr Index most_bins = most_groups * most_groups;

/// Sums over pairs by their displacement r' - r. Totals are (bin).
/// @param site of each, its atom and cell @param largest as above
/// @throws MachineError as above @throws InputError for more than most_bins
std::unique_ptr<FusedSums> make_displacement_sums(const Device& device,
                                                  const PairSettings& settings,
                                                  std::span<const lattice::SiteIndex> site,
                                                  const DisplacementBins& bins, double largest,
                                                  const RowShare& share = {});

/// Numbers of pairs of different sites by the value of C, and the pairs with the largest and the
/// smallest; totals are those of correlation_bins.hpp.
/// @throws MachineError as above @throws InputError for more than most_bins, or so many sites that
/// a unit has no room for its count of pairs
std::unique_ptr<FusedSums> make_value_sums(const Device& device, const PairSettings& settings,
                                           const CorrelationBins& bins, const RowShare& share = {});

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
