#pragma once
// A sum over all pairs of sites of something made from C(r,r') = sum_k a_{r,k} b_{r',k}
// (pair_reduction.hpp), without C ever being stored: O(N K) memory, 2 N^2 K operations (Chen, Chen,
// Turner, Feiguin (2023), Eqs. 3 to 5; what Fourier sums of C itself need no pairs for is
// amplitudes.hpp). Who computes it: tile_sums.hpp on a CPU, fused_sums.hpp on a GPU.
//
// The matrices a and b, (site, k) with k fastest, are spins of M configurations at two times: k =
// 3 m + component (spin_matrix.hpp). What they hold that is not finite shows in the sums.

#include "larmor/core/device/pending.hpp"
#include "larmor/correlations/pairs/operands/pair_precision.hpp"
#include "larmor/correlations/pairs/operands/pair_ranks.hpp"

namespace larmor::correlations::real_space {

class PairSums {
 public:
  virtual ~PairSums() = default;
  /// The matrices, (site, k), where the spins are; both are copied.
  virtual void set_rows(const double* a) = 0;
  virtual void set_columns(const double* b) = 0;
  /// The same matrix for both: C is symmetric then, and half of the pairs will do.
  virtual void set_both(const double* a) = 0;
  /// One part of the sums of this rank, on a GPU not waited for. Parts come in order: the first
  /// forgets what was summed before.
  virtual void add(const RowShare& part = {}) = 0;
  /// After the last part; on a GPU on their way. BITS: the same for any number of parts, threads
  /// and ranks; all ranks call it.
  virtual Pending totals() = 0;
};

struct PairSettings {
  Index sites = 0, numbers = 0;                   ///< N, K
  PairPrecision precision = PairPrecision::full;  ///< on a GPU; a CPU is always in double
  bool squared = false;                           ///< C^2 instead of C
  /// Those who share the rows, each with both matrices; must outlive the sums. null: this one alone
  PairRanks* ranks = nullptr;
  bool plain = false;   ///< on a GPU: by plain arithmetic even where it has tensor cores
  bool squares = true;  ///< by distance or displacement: C^2 too, a sum of its own on a GPU
  /// Of threads on a GPU, which share the work; 0: as many as it runs at a time. No bit depends on
  /// it
  Index blocks = 0;
  /// |a_r.b_r'| that there can be. BITS: by distance, by displacement and between groups a GPU sums
  /// exact integers in units of 2^-61 of the greatest sum of a unit of work, so that their order
  /// does not show
  double largest = 0;

  /// Of the rows, what this rank sums.
  RowShare share() const { return ranks == nullptr ? RowShare{} : ranks->share(); }
};

/// @throws InputError for K = 0, or numbers that 32 bits do not hold
void check(const PairSettings& settings);

}  // namespace larmor::correlations::real_space
