#pragma once
// Replicas that exchange their temperatures (parallel tempering). Several copies of one ladder of
// temperatures, each rung of a copy held by one replica; which of them holds it changes where the
// replicas are, and nothing waits for a GPU. Sweeps in between are the ensemble's.

#include <array>
#include <cstdint>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/study/sampling/exchange_view.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class TemperatureExchange {
 public:
  /// Replica r begins at rung r % rungs of copy r / rungs, both counted through the study.
  /// @param ladder k_B T of each rung, positive, those that exchange side by side [rungs]
  /// @param replicas of this process
  /// @throws InternalError for fewer than two rungs, or where a copy is not whole in this process
  TemperatureExchange(std::vector<double> ladder, const ReplicaShare& replicas, std::uint64_t seed,
                      const Device& device);

  /// In every copy the rungs (parity, parity + 1), (parity + 2, parity + 3), ... exchange their
  /// replicas, or do not, with the probabilities of detailed balance. Rungs that are never proposed
  /// together exchange nothing: call it with either parity in turn.
  /// @param parity 0 or 1
  /// @param step keys the random numbers: another one at each call with this parity
  /// @param view of an ensemble on this device at the temperatures that these replicas hold
  void propose(int parity, std::uint64_t step, const ExchangeView& view);

  /// The rung that each replica holds, a whole number. [replicas of the process]
  Pending rungs() const;
  /// Fraction of the proposals since reset_acceptance that exchanged a rung with the next; 0 where
  /// there were none. [copies of the process][rungs - 1]
  Pending acceptance() const;
  void reset_acceptance();
  /// k_B T of each replica, for an ensemble to begin or to go on with; waits for a GPU.
  /// [replicas of the process]
  std::vector<double> thermal_energies() const;

  void save(StageMemory& memory, const Ranks& ranks) const;
  /// @throws InputError for a checkpoint of another ladder
  void load(const StageMemory& memory, const Ranks& ranks);

 private:
  Index rung_count() const { return static_cast<Index>(ladder_.size()); }
  RankShare replicas() const { return {share_.first, share_.count, share_.all}; }
  RankShare copies() const;
  /// Every replica at this rung. @param rung [replicas of the process]
  void put(const std::vector<double>& rung);

  std::vector<double> ladder_;
  ReplicaShare share_;
  std::uint64_t seed_;
  Array<double> rung_;               ///< of each replica; Pending carries doubles
  Array<std::int32_t> replica_at_;   ///< the replica of the process at (copy, rung)
  Array<double> accepted_;           ///< whole numbers (copy, rungs - 1)
  std::array<Index, 2> proposed_{};  ///< calls by parity
};

}  // namespace larmor::study
