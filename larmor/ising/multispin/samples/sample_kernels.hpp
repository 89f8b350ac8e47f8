#pragma once
// Loops over positions. For a CPU they are compiled once per instruction set and chosen at run
// time. There are also kernels for CUDA.

#include <cstdint>

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/ising/multispin/samples/samples_view.hpp"

namespace larmor::ising {

/// A vector holds `vector_halves` adjacent halves.
struct SampleKernels {
  int vector_halves;
  /// Does whole sweeps of vectors [first, last). Each sweep adds 1 to the step of the key.
  void (*sweep)(const SampleUpdate& update, Index sweeps, Index first, Index last);
  /// Updates runs [first_run, last_run) of one colour, at positions [first, last). These are
  /// counted vector after vector, from 0 to vectors * positions of the colour.
  void (*update)(const SampleUpdate& update, int first_run, int last_run, Index first, Index last);
  /// Counts for vectors [first, last). @param sums [word * 64 + sample], added to
  void (*sum)(const SamplesView& view, Index first, Index last, SampleSums* sums);
  /// Sums of products of spins for groups [first, last) of pairs. A group has as many pairs of
  /// words as a vector holds words. @param sums [pair * 64 + sample]
  void (*compare)(const SamplesView& view, const WordPair* pairs, Index count, Index first,
                  Index last, SampleSums* sums);

  Index vectors(Index words) const { return (words * halves + vector_halves - 1) / vector_halves; }
};

/// Kernels for the instruction set that cpu_instruction_set() returns now.
LARMOR_CPU_KERNELS(SampleKernels, sample_kernels)

#if defined(LARMOR_HAS_CUDA)
/// Sweeps every word without waiting for the GPU. A launch does many sweeps if the spins of a word
/// fit into the shared memory of a block. Otherwise a launch updates only one colour.
/// @param runs the runs, on the host
/// @param first_run index of the first run of each colour; the last entry is the number of runs
void sweep_samples_on_gpu(const Device& device, const SampleUpdate& update, Index sweeps,
                          const SampleRun* runs, const int* first_run, int colours);
/// @param sums on the GPU
void clear_sums_on_gpu(const Device& device, SampleSums* sums, Index count);
/// @param sums on the GPU [word * 64 + sample], added to
void sum_samples_on_gpu(const Device& device, const SamplesView& view, SampleSums* sums);
/// @param pairs, sums on the GPU; sums [pair * 64 + sample]
void compare_samples_on_gpu(const Device& device, const SamplesView& view, const WordPair* pairs,
                            Index count, SampleSums* sums);
#endif

}  // namespace larmor::ising
