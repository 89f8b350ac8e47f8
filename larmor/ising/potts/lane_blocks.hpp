#pragma once
// Blocks of up to eight replicas of a two-state model, for sweeps and sums on a CPU. Each replica
// has a lane of packs. If too few replicas have equal couplings, each lane of a block has its own
// couplings.

#include <vector>

#include "larmor/ising/potts/lane_kernels.hpp"
#include "larmor/ising/potts/potts_model.hpp"

namespace larmor::ising {

class LaneBlocks {
 public:
  /// Does a model have two states and enough replicas for lanes, and does it run on a CPU?
  static bool fit(const PottsModel& model);
  /// @param model must outlive the blocks
  explicit LaneBlocks(const PottsModel& model);
  LaneBlocks(LaneBlocks&&) =
      default;  // moving keeps the addresses of vectors' contents, which blocks store
  LaneBlocks(const LaneBlocks&) = delete;

  /// Does several sweeps. Results equal those of PottsUpdate.
  /// @param view with states, temperatures, rule and random numbers
  /// @return false if temperatures are too low for single precision. In this case nothing is done
  bool sweep(const PottsView& view, Index sweeps);
  /// Computes the sum of PottsEnergy and the numbers of sites in both states. @param sums
  /// [replica][3]
  void sum(const PottsView& view, double* sums);

 private:
  /// @param share do the replicas of each block have equal couplings?
  void cut_into_blocks(const PottsView& view, bool share);
  void copy_couplings(const PottsView& view);
  bool set_weights(const PottsView& view);
  LaneBlock block_of_sweep(const PottsView& view, std::size_t block, std::uint64_t step) const;
  void sweep_block(PottsView view, std::size_t block, Index sweeps) const;
  void sweep_together(PottsView view, Index sweeps) const;
  void pack(const PottsView& view) const;
  /// @param positions number of positions to process in each block
  int threads_for(Index positions) const;
  /// Calls work(block, first, last) for ranges of [begin, end) in every block. Threads share them.
  /// @param length largest number of elements of a range
  template <class Work>
  void for_ranges(int threads, Index begin, Index end, Index length, const Work& work) const;

  const PottsModel* model_;
  std::vector<LaneBlock> blocks_;
  std::vector<std::uint8_t> bits_;       ///< (block, position)
  std::vector<std::int32_t> couplings_;  ///< (block, bond, lane); empty: lanes of a block share
                                         ///< them
};

/// Are this many consecutive replicas with equal couplings enough to form their own blocks?
constexpr bool make_blocks(Index replicas) { return replicas >= block_replicas / 2; }

/// Bytes of the blocks. @param alike number of consecutive replicas with equal couplings
double lane_bytes(double sites, double bonds, Index replicas, Index alike);

}  // namespace larmor::ising
