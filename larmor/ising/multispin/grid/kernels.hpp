#pragma once
// Loops over words. For a CPU they are compiled once per instruction set and chosen at run time.
// There are also kernels for CUDA.

#include <cstdint>

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ising/multispin/grid/lattice_view.hpp"

namespace larmor::ising {

/// Sums over a replica's sites.
struct SpinSums {
  std::int64_t unsatisfied;  ///< number of unsatisfied bonds, as if J were positive
  std::int64_t down;         ///< number of spins that are down
};

/// Words are processed in groups, replica after replica. A call processes groups [first, last) of
/// all replicas * groups_of(words).
struct CpuKernels {
  int group_words;
  void (*update)(const UpdateRequest& request, Index first, Index last);
  /// @param sums [replica]; the kernel adds to the sums of the replicas to which the groups belong
  void (*sum)(const LatticeView& lattice, Index first, Index last, SpinSums* sums);

  Index groups_of(Index words) const { return (words + group_words - 1) / group_words; }
};

/// Kernels for the instruction set that cpu_instruction_set() returns now.
LARMOR_CPU_KERNELS(CpuKernels, cpu_kernels)

/// Number of words before and after an array that kernels may read.
inline constexpr Index spare_words = 16;

/// Largest number of words, of both colours and all replicas, that a GPU may update in one launch
/// with mailboxes.
inline constexpr Index most_words_together = Index{1} << 20;

#if defined(LARMOR_HAS_CUDA)
/// Does not wait for a GPU. @param request for the first sweep. Its colour is ignored if there are
/// sweeps
/// @param sweeps number of sweeps; 0: only the half-sweep of the request's colour
void update_on_gpu(const Device& device, const UpdateRequest& request, Index sweeps);
/// @param sums on the GPU [replica], added to
void sum_on_gpu(const Device& device, const LatticeView& lattice, SpinSums* sums);
#endif

}  // namespace larmor::ising
