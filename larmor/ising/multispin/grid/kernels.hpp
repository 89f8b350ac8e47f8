#pragma once
// The loops over words, compiled once per instruction set and picked at run time, and for CUDA.

#include <cstdint>

#include "larmor/core/device/device.hpp"
#include "larmor/ising/multispin/grid/lattice_view.hpp"

namespace larmor::ising {

/// Sums over a replica's sites.
struct SpinSums {
  std::int64_t unsatisfied;  ///< bonds, of positive J
  std::int64_t down;         ///< spins
};

/// Words are done in groups, those of one after the other replica: groups [first, last) of
/// replicas * groups_of(words).
struct CpuKernels {
  int group_words;
  void (*update)(const UpdateRequest& request, Index first, Index last);
  /// @param sums [replica], added to; of the replicas that the groups belong to
  void (*sum)(const LatticeView& lattice, Index first, Index last, SpinSums* sums);

  Index groups_of(Index words) const { return (words + group_words - 1) / group_words; }
};

/// For this machine's instruction set, as cpu_instruction_set() says at the time.
const CpuKernels& cpu_kernels();

/// Words that may be read before and behind an array of them.
inline constexpr Index spare_words = 16;

/// Words of both colours of all replicas that a GPU may update all at once.
inline constexpr Index most_words_together = Index{1} << 20;

#if defined(LARMOR_HAS_CUDA)
/// Behind what was launched before. @param request says of the first sweep; its colour is not
/// looked at. @param sweeps 0: of that one the request's colour alone
void update_on_gpu(const Device& device, const UpdateRequest& request, Index sweeps);
/// @param sums on the GPU [replica], added to
void sum_on_gpu(const Device& device, const LatticeView& lattice, SpinSums* sums);
#endif

}  // namespace larmor::ising
