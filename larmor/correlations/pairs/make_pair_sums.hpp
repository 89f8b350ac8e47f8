#pragma once
// Sums over all pairs of sites of something made from C(r,r') = sum_k a_{r,k} b_{r',k}, wherever
// the spins are: on a GPU mostly by tensor cores (fused_sums.hpp), by OpenBLAS on a CPU
// (panel_sums.hpp).

#include <cstdint>
#include <memory>
#include <span>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// sum_rr' exp(-i q.(r - r')) C(r,r') or C^2; totals are (q, re im).
/// @param q in 1 / length @param position (site)
/// @throws MachineError where memory is short, or a GPU lacks tensor cores of compute
/// capability 9.0 for a precision that is split
std::unique_ptr<PairSums> make_pair_fourier_sums(const Device& device, const PairSettings& settings,
                                                 std::span<const Vec3<double>> q,
                                                 std::span<const Vec3<double>> position);

/// Sums over pairs by their distance; totals are (bin, 3): the sum of C, of C^2 (anything where
/// squares are not asked for), and the number of pairs.
/// @param settings squared is not looked at @param largest |a_r.b_r'| that there can be
/// @throws MachineError as above @throws InputError for more bins than a GPU sums (1024)
std::unique_ptr<PairSums> make_pair_distance_sums(const Device& device,
                                                  const PairSettings& settings,
                                                  std::span<const Vec3<double>> position,
                                                  const DistanceBins& bins, double largest);

/// By displacement r' - r; totals are (bin, 3) as of distances. @param site of each, its atom and
/// cell @param settings, largest as above
/// @throws MachineError as above @throws InputError for more bins than most_displacements_of_pairs
std::unique_ptr<PairSums> make_pair_displacement_sums(const Device& device,
                                                      const PairSettings& settings,
                                                      std::span<const lattice::SiteIndex> site,
                                                      const DisplacementBins& bins, double largest);

/// Sums of C, or of C^2, over r in group g and r' in group g'; totals are (g, g').
/// @param group of each site; -1: none @param largest as above
/// @throws MachineError as above @throws InputError for more groups than most_groups_of_pairs
std::unique_ptr<PairSums> make_pair_group_sums(const Device& device, const PairSettings& settings,
                                               std::span<const std::int32_t> group, Index groups,
                                               double largest);

/// Numbers of pairs of different sites by the value of C, and the pairs with the largest and the
/// smallest; totals are those of correlation_bins.hpp. @param settings squared is not looked at
/// @throws MachineError as above @throws InputError for more bins than a GPU counts (1024), or
/// sites
std::unique_ptr<PairSums> make_pair_value_sums(const Device& device, const PairSettings& settings,
                                               const CorrelationBins& bins);

/// @throws MachineError where a GPU lacks tensor cores of compute capability 9.0 for a precision
/// that is split
void require_pair_sums(const Device& device, PairPrecision precision);

/// The most groups that it sums between.
Index most_groups_of_pairs(const Device& device);
/// The most bins of displacement.
Index most_displacements_of_pairs(const Device& device);

/// Parts to cut sums into so that each takes about a second or less, as far as each still keeps all
/// threads or multiprocessors busy. @param multiply_adds of one rank
Index parts_of_pair_sums(const Device& device, Index sites, double multiply_adds, int ranks);

/// What decides how much memory they take.
struct PairSumsSize {
  Index sites, numbers;    ///< N, K
  Index wave_vectors = 0;  ///< of Fourier sums
  Index bins = 0;          ///< of other sums: their totals
  bool symmetric = false;  ///< set_both
};

/// Bytes that they take where the spins are.
double pair_sums_bytes(const Device& device, const PairSumsSize& size, PairPrecision precision);

}  // namespace larmor::correlations::real_space
