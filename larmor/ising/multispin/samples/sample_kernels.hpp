#pragma once
// The loops over positions, compiled once per instruction set and picked at run time, and for CUDA.

#include <cstdint>

#include "larmor/core/device/device.hpp"
#include "larmor/ising/multispin/samples/samples_view.hpp"

namespace larmor::ising {

/// A vector is some halves side by side, `vector_halves` of them.
struct SampleKernels {
  int vector_halves;
  /// Whole sweeps of vectors [first, last), the step of the key going up.
  void (*sweep)(const SampleUpdate& update, Index sweeps, Index first, Index last);
  /// One colour, runs [first_run, last_run): of vector after vector, positions [first, last) of
  /// vectors * positions of the colour.
  void (*update)(const SampleUpdate& update, int first_run, int last_run, Index first, Index last);
  /// @param sums [word * 64 + sample], added to, of vectors [first, last)
  void (*sum)(const SamplesView& view, Index first, Index last, SampleSums* sums);
  /// The same of the products of spins, for pairs of words in groups of as many as a vector has:
  /// groups [first, last). @param sums [pair * 64 + sample]
  void (*compare)(const SamplesView& view, const WordPair* pairs, Index count, Index first,
                  Index last, SampleSums* sums);

  Index vectors(Index words) const { return (words * halves + vector_halves - 1) / vector_halves; }
};

/// For this machine's instruction set, as cpu_instruction_set() says at the time.
const SampleKernels& sample_kernels();

#if defined(LARMOR_HAS_CUDA)
/// Sweeps of every word, behind what was launched before: many a launch where the spins of a word
/// fit into the shared memory of a block, else colour by colour.
/// @param runs on the host @param first_run of each colour, and their number behind the last
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
