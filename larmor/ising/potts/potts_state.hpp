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
  /// Sets all sites to state 0. @param model must outlive the state @param step counter of updates,
  /// which keys random numbers
  PottsState(const PottsModel& model, const UpdateCounter& step);

  void set_all(int state);
  /// Draws an independent state for every site, and advances `step` by one.
  void randomise(std::uint64_t seed);

  /// States in canonical order (replica, site) of replicas [first, first + count).
  std::vector<std::uint8_t> canonical(Index count, Index first = 0) const;
  /// @param states (replica, site) of all replicas
  /// @throws InternalError for another size
  void load(const std::vector<std::uint8_t>& states);

  /// Overwrites replicas with copies of other replicas: see larmor::copy_replicas.
  void copy_replicas(std::span<const ReplicaCopy> copies);

  const PottsModel& model() const { return *model_; }
  /// The model's view with the states of this object, which kernels may change.
  PottsView view();
  /// The object that sweeps and sums replicas in the lanes of packs; null if it does not fit the
  /// model.
  LaneBlocks* lanes() { return lanes_ ? &*lanes_ : nullptr; }

  UpdateCounter step;

 private:
  const PottsModel* model_;
  Array<std::uint8_t> states_;  ///< (replica, position)
  std::optional<LaneBlocks> lanes_;
};

}  // namespace larmor::ising
