#pragma once
// Sweeps and exchanges of ladders on a GPU. Compiled only where CUDA is found.

#include "larmor/core/device/device.hpp"
#include "larmor/ising/multispin/samples/ladder_pass.hpp"

namespace larmor::ising {

/// What the kernel that keeps the spins of a word in shared memory does, for grids of two colours
/// with even periodic axes. Signs lie as BitSamples has them there: the bond of a site of colour 0
/// in direction n (2 axis: to the previous site, 2 axis + 1: to the next) is n * sites / 2 + its
/// position.
struct GridLadderRun {
  SamplesView view;
  LadderPass pass;
  RandomKey key;  ///< of the first sweep
  int axes;
  const RegularPlace* places;   ///< (colour, position)
  std::int32_t sweeps;          ///< of a launch
  std::int32_t exchange_every;  ///< 0: nothing is exchanged
  std::uint64_t proposals;      ///< made before
};

/// Can all words of a group be in shared memory at once, each in a block of its own?
bool ladders_fit_on_gpu(const Device& device, int axes, Index sites, Index rungs);
/// Launched only. @param sweeps in all, a multiple of exchange_every
void run_grid_ladders_on_gpu(const Device& device, const GridLadderRun& run, Index sweeps);
/// One proposal of all words, launched only. @param sums ends of unsatisfied bonds, as
/// BitSamples::add_up_ends
void exchange_samples_on_gpu(const Device& device, const LadderPass& pass, std::uint64_t proposal,
                             Index words, const SampleSums* sums);

/// As SampleLadders::write_by_rung, launched only. @param word_at as in LadderPass
void write_by_rung_on_gpu(const Device& device, const SamplesView& view, int rungs,
                          const std::int32_t* word_at, std::uint32_t* spins);
/// As LadderOverlaps counts opposite spins, launched only. @param layer (axis, position)
/// @param counts added to (pair, sample, layer of all axes)
void count_layers_on_gpu(const Device& device, const SamplesView& view, const WordPair* pairs,
                         Index count, int axes, int layers, const std::int32_t* layer,
                         std::int32_t* counts);

}  // namespace larmor::ising
