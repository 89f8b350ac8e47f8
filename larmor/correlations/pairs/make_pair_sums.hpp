#pragma once
// Makes sums over all pairs of sites (pair_sums.hpp) on the device of the spins. A GPU computes
// them mostly on tensor cores (fused_sums.hpp), and a CPU by OpenBLAS (tile_sums.hpp).

#include <memory>

#include "larmor/correlations/pairs/reductions/pair_reduction.hpp"
#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

namespace larmor::correlations::real_space {

/// @throws MachineError if memory is too small, or a GPU lacks tensor cores of compute capability
/// 9.0 for a split precision
/// @throws InputError like check(settings) and check(reduction, N). Also if there are more groups
/// than most_groups_of_pairs, more bins than most_displacements_of_pairs, or more than 1024 bins of
/// distance or of C on a GPU
std::unique_ptr<PairSums> make_pair_sums(const Device& device, const PairSettings& settings,
                                         const PairReduction& reduction);

/// @throws MachineError if a GPU lacks tensor cores of compute capability 9.0 for a split precision
void require_pair_sums(const Device& device, PairPrecision precision);

/// Maximum number of groups.
Index most_groups_of_pairs(const Device& device);
/// Maximum number of bins of displacement.
Index most_displacements_of_pairs(const Device& device);

/// Number of equal shares of a rank's sums. A share takes about one second or less, and keeps all
/// threads or multiprocessors busy. @param multiply_adds number of multiply-adds of one rank
Index shares_of_pair_sums(const Device& device, Index sites, double multiply_adds, int ranks);

/// Sizes that determine memory.
struct PairSumsSize {
  Index sites, numbers;    ///< N, K
  Index wave_vectors = 0;  ///< number in Fourier sums
  Index bins = 0;          ///< number of totals in other sums
  bool symmetric = false;  ///< see set_both
};

/// Bytes on the device of the spins.
double pair_sums_bytes(const Device& device, const PairSumsSize& size, PairPrecision precision);

}  // namespace larmor::correlations::real_space
