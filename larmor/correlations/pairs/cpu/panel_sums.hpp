#pragma once
// Sums over all pairs of sites of the correlation C(r,r') = sum_k a_{r,k} b_{r',k} on the CPU,
// without C ever being stored: a tile of it at a time, a panel of rows by a segment of columns that
// stays in cache, comes from a matrix product and is summed there. O(N K) memory, 2 N^2 K
// operations, besides those of the sum (Chen, Chen, Turner, Feiguin (2023), Eqs. 3 to 5; what
// Fourier sums of C itself need no pairs for is amplitudes.hpp).
//
// The matrices a and b, (site, k) with k fastest, are spins of M configurations at two times:
// k = 3 m + component. What they hold that is not finite shows in the sums.

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"
#include "larmor/correlations/pairs/reductions/correlation_bins.hpp"
#include "larmor/correlations/pairs/reductions/displacement_bins.hpp"
#include "larmor/correlations/pairs/reductions/distance_bins.hpp"

namespace larmor::correlations::real_space {

/// gemm_panels: tiles by OpenBLAS. naive: pair by pair in long double, slow and obvious, what
/// others are compared with.
enum class PanelRung { naive, gemm_panels };

/// @throws InputError for a name that is none of naive, gemm-panels
PanelRung panel_rung_by_name(std::string_view name);
const char* name_of(PanelRung rung);

class PanelSums {
 public:
  virtual ~PanelSums() = default;
  /// The matrix b, which is copied. @param matrix (site, k)
  virtual void set_columns(const double* matrix) = 0;
  /// The matrix a, which is copied. @param matrix (site, k)
  virtual void set_rows(const double* matrix) = 0;
  /// The same matrix for both: C is symmetric then, and half of the pairs will do.
  virtual void set_both(const double* matrix) = 0;
  /// Sums over one part of the rows of a share. Parts come in order: the first forgets what was
  /// summed before. @param share of this rank
  /// @throws InternalError before both matrices are set
  virtual void add(int threads, const RowShare& share = {}, const RowShare& part = {}) = 0;
  /// After the last part. The same bits for any number of threads, of parts, and of ranks, all of
  /// which call it after sums of the same matrices. @param ranks null: this one alone
  /// @throws InternalError before the first part
  virtual std::vector<double> totals(PairRanks* ranks = nullptr) = 0;
};

/// Numbers of C that a thread has at a time.
inline constexpr Index panel_tile_numbers = 256 * 512;

/// Pieces that sums of so many totals are cut into, each with sums of its own; threads share them.
/// @param symmetric set_both
Index panel_pieces(Index sites, Index totals, bool symmetric = false);

struct PanelSettings {
  Index sites = 0, numbers = 0;  ///< N, K
  PanelRung rung = PanelRung::gemm_panels;
};

struct FourierPanelSettings : PanelSettings {
  bool squared = false;                    ///< C^2 instead of C
  std::span<const Vec3<double>> q;         ///< 1 / length
  std::span<const Vec3<double>> position;  ///< (site), length
};

/// sum_rr' exp(-i q.(r - r')) C(r,r') or C^2; totals are (q, re im). Takes 16 bytes a site and q
/// besides the matrices.
/// @throws InputError for K = 0, or positions or wave vectors that are not finite or not as many
///         as sites
std::unique_ptr<PanelSums> make_fourier_panels(const FourierPanelSettings& settings);

struct DistancePanelSettings : PanelSettings {
  std::span<const Vec3<double>> position;  ///< (site), length
  std::span<const Vec3<double>> periods;   ///< of a periodic box, three at most; none: open
  double width = 0;                        ///< of a bin, length
  Index bins = 0;                          ///< pairs further apart than bins * width are left out
};

/// Sums over the pairs whose distance, to the nearest periodic image, is in [bin, bin + 1) * width;
/// totals are (bin, 3): the sum of C, the sum of C^2, the number of pairs. Ordered pairs count, a
/// site with itself too (bin 0).
/// @throws InputError for K = 0, positions that are not finite or not as many as sites, periods
///         that are not finite or not independent, no bins or too many, or bins without a width
std::unique_ptr<PanelSums> make_distance_panels(const DistancePanelSettings& settings);

struct DisplacementPanelSettings : PanelSettings {
  std::span<const lattice::SiteIndex> site;  ///< (site), its atom and cell
  DisplacementBins bins;
};

/// Sums over the pairs of each displacement r' - r; totals are (bin, 3) as of distances.
/// @throws InputError for K = 0, more than most_panel_bins, or atoms and cells that the sample has
/// not or not as many as sites
std::unique_ptr<PanelSums> make_displacement_panels(const DisplacementPanelSettings& settings);
inline constexpr Index most_panel_bins = 10'000'000;

struct GroupPanelSettings : PanelSettings {
  bool squared = false;                 ///< C^2 instead of C
  std::span<const std::int32_t> label;  ///< (site), the group of each, in [0, groups); -1: none
  Index groups = 0;                     ///< G
};

/// Sums of C or C^2 over r in group g and r' in group g'; totals are (g, g'). Sites of no group
/// cost nothing.
/// @throws InputError for K = 0, no groups or too many, or labels out of range or not as many as
/// sites
std::unique_ptr<PanelSums> make_group_panels(const GroupPanelSettings& settings);
inline constexpr Index most_panel_groups = 10'000;

struct ValuePanelSettings : PanelSettings {
  CorrelationBins bins;
};

/// Numbers of pairs of different sites by the value of C, and those with the largest and the
/// smallest; totals are those of correlation_bins.hpp.
/// @throws InputError for K = 0, no bins or too many, or bins without a width
std::unique_ptr<PanelSums> make_value_panels(const ValuePanelSettings& settings);

}  // namespace larmor::correlations::real_space
