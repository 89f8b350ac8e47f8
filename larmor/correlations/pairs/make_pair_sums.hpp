#pragma once
// Sums over all pairs of sites (pair_sums.hpp) wherever the spins are: on a GPU mostly by tensor
// cores (fused_sums.hpp), by OpenBLAS on a CPU (tile_sums.hpp).

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// @throws MachineError where memory is short, or a GPU lacks tensor cores of compute capability
/// 9.0 for a precision that is split
/// @throws InputError as check(settings) and check(reduction, N), and for more groups or bins than
/// most_groups_of_pairs, most_displacements_of_pairs, or 1024 bins of distance or of C on a GPU
std::unique_ptr<PairSums> make_pair_sums(const Device& device, const PairSettings& settings,
                                         const PairReduction& reduction);

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
