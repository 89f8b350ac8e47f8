#pragma once
// Replicas that exchange their rungs (parallel tempering). Each rung of a ladder is held by one
// replica; which of them holds it changes where the replicas are, and nothing waits for a GPU.
// Sweeps in between are the ensemble's.

#include <array>
#include <cstdint>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/tempering/exchange_times.hpp"
#include "larmor/tempering/exchange_view.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::tempering {

struct ExchangePass;

/// What was counted since the last reset. All of them are whole numbers.
struct ExchangeCounts {
  std::array<Index, 2> proposed{0, 0};  ///< calls of propose by parity
  std::vector<double> accepted;         ///< exchanges of a rung with the next [ladders][rungs - 1]
  std::vector<double> from_first;       ///< walkers by the end they visited last [ladders][rungs]
  std::vector<double> from_last;        ///< [ladders][rungs]
  std::vector<double> round_trips;      ///< that each replica ended [replicas]
};

/// Which replica holds which rung, and what was counted.
struct ExchangeState {
  std::vector<double> rungs;   ///< that each replica holds [replicas]
  std::vector<double> labels;  ///< WalkerLabel as a number [replicas]
  ExchangeCounts counts;
};

class ReplicaExchange {
 public:
  /// Replica r begins at rung r % rungs of ladder r / rungs, both counted through the study.
  /// @param replicas of this process
  /// @throws InternalError for fewer than two rungs, or where a ladder is not whole in this process
  ReplicaExchange(Index rungs, const ReplicaShare& replicas, std::uint64_t seed,
                  const Device& device);

  /// In every ladder the rungs (parity, parity + 1), (parity + 2, parity + 3), ... exchange their
  /// replicas, or do not, with the probabilities of detailed balance. Rungs that are never proposed
  /// together exchange nothing: call it with either parity in turn.
  /// @param parity 0 or 1
  /// @param step keys the random numbers: another one at each call with this parity
  /// @param view of an ensemble on this device at the rungs that these replicas hold
  void propose(int parity, std::uint64_t step, const ExchangeView& view);
  /// For kernels that do the same among their sweeps: counts the exchanges of so many sweeps as
  /// proposed. @param view its energies are not asked for
  /// @return the first of them, with the step 0
  ExchangePass passes_among(Index sweeps, const ExchangeTimes& times, const ExchangeView& view);

  Index rungs_of_ladder() const { return rung_count_; }

  /// The rung that each replica holds, a whole number. [replicas of the process]
  Pending rungs() const;
  /// Fraction of the proposals since reset_counts that exchanged a rung with the next; 0 where
  /// there were none. [ladders of the process][rungs - 1]
  Pending acceptance() const;
  /// Of the ladders of this process; waits for a GPU.
  ExchangeCounts counts() const;
  /// Replicas stay at their rungs and keep their labels.
  void reset_counts();
  /// What belongs to the rung of each replica, for an ensemble to begin or to go on with; waits
  /// for a GPU. @param of_rung [rungs] @return [replicas of the process]
  std::vector<double> at_replicas(const std::vector<double>& of_rung) const;

  /// Of the replicas of this process; waits for a GPU.
  ExchangeState state() const;
  /// @throws InputError for a state of other ladders
  void set_state(const ExchangeState& state);

 private:
  Index ladders() const { return share_.count / rung_count_; }
  ExchangePass pass(int parity, std::uint64_t step, const ExchangeView& view);
  /// Every replica at this rung. @param rung [replicas of the process]
  void put(const std::vector<double>& rung);

  Index rung_count_;
  ReplicaShare share_;
  std::uint64_t seed_;
  Array<double> rung_;              ///< of each replica; Pending carries doubles
  Array<std::int32_t> replica_at_;  ///< the replica of the process at (ladder, rung)
  Array<WalkerLabel> label_;        ///< of each replica
  // Whole numbers.
  Array<double> accepted_;                ///< (ladder, rungs - 1)
  Array<double> from_first_, from_last_;  ///< (ladder, rung)
  Array<double> round_trips_;             ///< of each replica
  std::array<Index, 2> proposed_{};       ///< calls by parity
};

}  // namespace larmor::tempering
