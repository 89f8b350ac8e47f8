#pragma once
// The replicas of a model of two states in blocks of up to eight: what a CPU sweeps and sums side
// by side. Where few replicas have the same couplings, these are kept for each lane.

#include <vector>

#include "larmor/ising/potts/lane_kernels.hpp"
#include "larmor/ising/potts/potts_model.hpp"

namespace larmor::ising {

class LaneBlocks {
 public:
  /// Of two states, on a CPU, and of so many replicas that lanes are worth it?
  static bool fit(const PottsModel& model);
  /// @param model outlives it
  explicit LaneBlocks(const PottsModel& model);
  LaneBlocks(LaneBlocks&&) = default;  // blocks have the addresses of what vectors hold
  LaneBlocks(const LaneBlocks&) = delete;

  /// What PottsUpdate does, sweep after sweep.
  /// @param view of states, temperatures, rule and random numbers
  /// @return false: nothing is done, temperatures are too low for single precision
  bool sweep(const PottsView& view, Index sweeps);
  /// The sum of PottsEnergy, and sites in each state. @param sums [replica][3]
  void sum(const PottsView& view, double* sums);

 private:
  /// @param share do replicas of a block have the same couplings?
  void cut_into_blocks(const PottsView& view, bool share);
  void keep_couplings(const PottsView& view);
  bool set_weights(const PottsView& view);
  LaneBlock of_sweep(const PottsView& view, std::size_t block, std::uint64_t step) const;
  void sweep_block(PottsView view, std::size_t block, Index sweeps) const;
  void sweep_together(PottsView view, Index sweeps) const;
  void pack(const PottsView& view) const;
  /// @param positions of each block that there is something to do at
  int threads_for(Index positions) const;
  /// work(block, first, last) for pieces of [begin, end) of every block, shared by threads.
  template <class Work>
  void for_pieces(int threads, Index begin, Index end, Index piece, const Work& work) const;

  const PottsModel* model_;
  std::vector<LaneBlock> blocks_;
  std::vector<std::uint8_t> bits_;       ///< (block, position)
  std::vector<std::int32_t> couplings_;  ///< (block, bond, lane); empty: blocks share them
};

/// Do so many replicas with the same couplings side by side make blocks?
constexpr bool make_blocks(Index replicas) { return replicas >= block_replicas / 2; }

/// Bytes of it. @param alike replicas side by side that have the same couplings
double lane_bytes(double sites, double bonds, Index replicas, Index alike);

}  // namespace larmor::ising
