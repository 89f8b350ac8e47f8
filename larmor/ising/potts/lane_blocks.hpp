#pragma once
// The replicas of a model of two states in blocks of up to eight that have the same couplings:
// what a CPU sweeps and sums side by side.

#include <vector>

#include "larmor/ising/potts/lane_kernels.hpp"
#include "larmor/ising/potts/potts_model.hpp"

namespace larmor::ising {

class LaneBlocks {
 public:
  /// Of two states, and on a CPU?
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
  bool set_weights(const PottsView& view);
  LaneBlock of_sweep(const PottsView& view, std::size_t block, std::uint64_t step) const;
  void sweep_block(PottsView view, std::size_t block, Index sweeps) const;
  void sweep_together(PottsView view, Index sweeps) const;
  void pack(const PottsView& view) const;
  /// work(block, first, last) for pieces of [begin, end) of every block, shared by threads.
  template <class Work>
  void for_pieces(Index begin, Index end, Index piece, const Work& work) const;

  const PottsModel* model_;
  std::vector<LaneBlock> blocks_;
  std::vector<std::uint8_t> bits_;  ///< (block, position)
};

/// Bytes of it. @param differ do couplings, from replica to replica?
double lane_bytes(double sites, bool differ, double replicas);

}  // namespace larmor::ising
