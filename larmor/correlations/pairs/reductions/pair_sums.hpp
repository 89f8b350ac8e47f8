#pragma once
// A sum over all pairs of sites of a function of C(r,r') = sum_k a_{r,k} b_{r',k}
// (pair_reduction.hpp). C is not stored, so the sum needs O(N K) memory and 2 N^2 K operations
// (Chen, Chen, Turner, Feiguin (2023), Eqs. 3 to 5). Fourier sums of C itself need no pairs, see
// amplitudes.hpp. Implementations: tile_sums.hpp on a CPU, fused_sums.hpp on a GPU.
//
// The matrices a and b, (site, k) with k fastest, are spins of M configurations at two times:
// k = 3 m + component (spin_matrix.hpp). Values that are not finite propagate to the sums.

#include <string_view>

#include "larmor/core/device/pending.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"

namespace larmor::correlations::real_space {

/// Precision of the product of spin matrices on tensor cores. full: double throughout. tf32x3 and
/// half_split: each number is split into two numbers of 11 bits. Three products are added in float.
/// In both, the relative error of a correlation is about 1e-6.
enum class PairPrecision { full, tf32x3, half_split };

/// @throws InputError for a name other than double, tf32x3, half-split
PairPrecision pair_precision_by_name(std::string_view name);
const char* name_of(PairPrecision precision);

class PairSums {
 public:
  virtual ~PairSums() = default;
  /// Sets a matrix, (site, k), on the device of the spins; the matrix is copied.
  virtual void set_rows(const double* a) = 0;
  virtual void set_columns(const double* b) = 0;
  /// Sets both matrices to `a`. C is then symmetric, and half of the pairs suffice.
  virtual void set_both(const double* a) = 0;
  /// Computes one share of this rank's sums, asynchronously on a GPU. Shares are added in order.
  /// The first share resets the sums.
  virtual void add(const RowShare& share = {}) = 0;
  /// The totals, after the last share. On a GPU they are pending. Collective. BITS: equal for any
  /// number of shares, threads and ranks.
  virtual Pending totals() = 0;
};

struct PairSettings {
  Index sites = 0, numbers = 0;                   ///< N, K
  PairPrecision precision = PairPrecision::full;  ///< precision on a GPU; a CPU always uses double
  bool squared = false;                           ///< C^2 instead of C
  /// Ranks that share the rows; each rank has both matrices. The object must outlive the sums.
  /// null: there is only this rank
  PairRanks* ranks = nullptr;
  bool plain = false;  ///< should a GPU use plain arithmetic, even if it has tensor cores?
  /// Do sums by distance or displacement include C^2? On a GPU, C^2 costs one more sum.
  bool squares = true;
  /// Blocks of threads that share the work on a GPU; 0: as many as run at once. The number of
  /// blocks does not change the bits of results.
  Index blocks = 0;
  /// Upper limit of |a_r.b_r'|. BITS: in sums by distance, by displacement and between groups, a
  /// GPU adds integers. An integer counts steps of about 2^-61 of the greatest possible sum. Sums
  /// of integers are exact, so their order changes nothing.
  double largest = 0;

  /// The rows that this rank sums.
  RowShare share() const { return ranks == nullptr ? RowShare{} : ranks->share(); }
};

/// @throws InputError for K = 0, or numbers that exceed 32 bits
void check(const PairSettings& settings);

}  // namespace larmor::correlations::real_space
