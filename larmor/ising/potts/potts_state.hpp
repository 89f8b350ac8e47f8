#pragma once
// States of the sites of all replicas of a process.

#include <optional>
#include <vector>

#include "larmor/core/device/replica_copies.hpp"
#include "larmor/core/update_counter.hpp"
#include "larmor/ising/potts/lane_blocks.hpp"

namespace larmor::ising {

class PottsState {
 public:
  /// All in state 0. @param model outlives it @param step counts updates
  PottsState(const PottsModel& model, const UpdateCounter& step);

  void set_all(int state);
  /// Every site in a state of its own, by random numbers of the current step, which it uses up.
  void randomise(std::uint64_t seed);

  /// In canonical order (replica, site). @param count of replicas, from `first` on
  std::vector<std::uint8_t> canonical(Index count, Index first = 0) const;
  /// @param states of all replicas (replica, site) @throws InternalError for another number of them
  void load(const std::vector<std::uint8_t>& states);

  /// Replicas become copies of others: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  const PottsModel& model() const { return *model_; }
  /// The model's view with these states, which kernels may change.
  PottsView view();
  /// What sweeps and sums its replicas side by side; null: nothing does.
  LaneBlocks* lanes() { return lanes_ ? &*lanes_ : nullptr; }

  UpdateCounter step;

 private:
  const PottsModel* model_;
  Array<std::uint8_t> states_;  ///< (replica, position)
  std::optional<LaneBlocks> lanes_;
};

}  // namespace larmor::ising
