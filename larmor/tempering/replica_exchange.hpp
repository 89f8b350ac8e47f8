#pragma once
// Exchange of rungs between replicas (parallel tempering). One replica holds each rung of a ladder.
// Kernels change the assignment on the device of the replicas, and nothing waits for a GPU. The
// ensemble does the sweeps between exchanges.

#include <array>
#include <cstdint>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/core/ranks/replica_share.hpp"
#include "larmor/tempering/exchanges.hpp"
#include "larmor/tempering/walker_label.hpp"

namespace larmor::tempering {

struct ExchangePass;

/// Counts since the last reset. All are whole numbers.
struct ExchangeCounts {
  std::array<Index, 2> proposed{0, 0};  ///< proposals by parity
  std::vector<double> accepted;         ///< accepted exchanges of a rung with the next
                                        ///< [ladders][rungs - 1]
  std::vector<double> from_first;       ///< visits by walkers with this label [ladders][rungs]
  std::vector<double> from_last;        ///< visits by walkers with this label [ladders][rungs]
  std::vector<double> round_trips;      ///< that each replica completed [replicas]
};

/// The rungs of the replicas, and the counts.
struct ExchangeState {
  std::vector<double> rungs;   ///< rung of each replica [replicas]
  std::vector<double> labels;  ///< WalkerLabel as a number [replicas]
  ExchangeCounts counts;
};

class ReplicaExchange {
 public:
  /// Replica r begins at rung r % rungs of ladder r / rungs, counted over the whole study.
  /// @param replicas the replicas of this process
  /// @throws InternalError for fewer than two rungs, or if this process has only part of a ladder
  ReplicaExchange(Index rungs, const ReplicaShare& replicas, std::uint64_t seed,
                  const Device& device);

  /// In every ladder the rungs (parity, parity + 1), (parity + 2, parity + 3), ... exchange their
  /// replicas, or do not, with the probabilities of detailed balance. Alternate the parity between
  /// calls: with one parity only, half of the neighbouring rungs never exchange.
  /// @param parity 0 or 1
  /// @param step keys the random numbers: another one at each call with this parity
  /// @param view an ensemble on this device, with each replica at its rung
  void propose(int parity, std::uint64_t step, const ExchangeView& view);
  /// For kernels that exchange replicas between their sweeps. Counts the exchanges during this many
  /// sweeps as proposed. @param view its energies are not used
  /// @return the first pass, with the step 0
  ExchangePass passes_among(Index sweeps, const ExchangeTimes& times, const ExchangeView& view);

  Index rungs_of_ladder() const { return rung_count_; }

  /// The rung of each replica, a whole number. [replicas of the process]
  Pending rungs() const;
  /// Accepted fraction of the proposed exchanges of a rung with the next since reset_counts; 0 if
  /// there were none. [ladders of the process][rungs - 1]
  Pending acceptance() const;
  /// Counts of the ladders of this process. Waits for a GPU.
  ExchangeCounts counts() const;
  /// Sets the counts to zero. Replicas stay at their rungs and keep their labels.
  void reset_counts();
  /// Sorts numbers of rungs by replica, for an ensemble that begins or continues. Waits for a GPU.
  /// @param of_rung [rungs] @return of_rung[rung of the replica] [replicas of the process]
  std::vector<double> at_replicas(const std::vector<double>& of_rung) const;

  /// State of the replicas of this process. Waits for a GPU.
  ExchangeState state() const;
  /// @throws InputError for a state of other ladders
  void set_state(const ExchangeState& state);

 private:
  Index ladders() const { return share_.count / rung_count_; }
  ExchangePass pass(int parity, std::uint64_t step, const ExchangeView& view);
  /// Puts each replica at its rung. @param rung [replicas of the process]
  void assign_rungs(const std::vector<double>& rung);

  Index rung_count_;
  ReplicaShare share_;
  std::uint64_t seed_;
  Array<double> rung_;              ///< rung of each replica; double, as Pending requires
  Array<std::int32_t> replica_at_;  ///< the replica of the process at (ladder, rung)
  Array<WalkerLabel> label_;        ///< label of each replica
  // All counts are whole numbers.
  Array<double> accepted_;                ///< (ladder, rungs - 1)
  Array<double> from_first_, from_last_;  ///< (ladder, rung)
  Array<double> round_trips_;             ///< completed by each replica
  std::array<Index, 2> proposed_{};       ///< proposals by parity
};

}  // namespace larmor::tempering
