#pragma once
// Sweeps and exchanges of ladders on a GPU. Compiled only if CUDA is found.

#include "larmor/core/device/device.hpp"
#include "larmor/ising/multispin/samples/ladder_exchange_view.hpp"

namespace larmor::ising {

/// Arguments of the kernel that keeps the spins of a word in shared memory. The kernel is for grids
/// of two colours with even periodic axes. Signs have the layout of BitSamples. In direction n, a
/// site of colour 0 has the bond n * sites / 2 + position. Direction 2 axis leads to the previous
/// site, and 2 axis + 1 to the next one.
struct GridLadderRun {
  SamplesView view;
  LadderExchangeView exchange;
  RandomKey key;  ///< for the first sweep
  int axes;
  const RegularPlace* places;   ///< (colour, position)
  std::int32_t sweeps;          ///< sweeps per launch
  std::int32_t exchange_every;  ///< 0: no exchanges
  std::uint64_t proposals;      ///< proposals before this run
};

/// Does the GPU have enough shared memory for all words of a group at once, if each word has its
/// own block?
bool ladders_fit_on_gpu(const Device& device, int axes, Index sites, Index rungs);
/// Does not wait for the GPU. @param sweeps number of all sweeps, a multiple of exchange_every
void run_grid_ladders_on_gpu(const Device& device, const GridLadderRun& run, Index sweeps);
/// Makes one proposal for all words. Does not wait for the GPU. @param sums ends of unsatisfied
/// bonds, as in BitSamples::add_up_ends
void exchange_samples_on_gpu(const Device& device, const LadderExchangeView& exchange,
                             std::uint64_t proposal, Index words, const SampleSums* sums);

/// Starts the work of SampleLadders::write_by_rung. Does not wait for the GPU.
/// @param word_at see LadderExchangeView
void write_by_rung_on_gpu(const Device& device, const SamplesView& view, int rungs,
                          const std::int32_t* word_at, std::uint32_t* spins);
/// Counts opposite spins for LadderOverlaps, without waiting. @param layer (axis, position)
/// @param counts added to (pair, sample, layer of all axes)
void count_layers_on_gpu(const Device& device, const SamplesView& view, const WordPair* pairs,
                         Index count, int axes, int layers, const std::int32_t* layer,
                         std::int32_t* counts);

}  // namespace larmor::ising
