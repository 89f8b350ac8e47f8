#pragma once
// Parallel tempering that searches for one ground state. A ladder has one or two replicas at each
// temperature. Replicas exchange their rungs after every sweep (tempering/exchange_rule.hpp). At
// intervals, copies of the replicas of the colder half descend to the nearest minimum, and the
// lowest minimum is kept.

#include <limits>
#include <vector>

#include "larmor/ground_states/isoenergetic.hpp"
#include "larmor/ground_states/replicas.hpp"
#include "larmor/ground_states/search_end.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::ground_states {

/// The best state of a search.
struct Found {
  double energy = std::numeric_limits<double>::infinity();  ///< E of the spin form
  State state;
  Index sweeps = 0;    ///< sweeps of every rung until the state was found
  double seconds = 0;  ///< seconds until the state was found, summed over threads
};

template <class Number>
class LadderSearch {
 public:
  /// @param temperatures in units of E, the coldest first
  /// @param with_pairs do sweeps flip pairs too?
  /// @param ladder number of the ladder, which keys its random numbers
  /// @param first_step step in the random keys of the first sweep
  /// @param end checked between two sweeps of a replica; null: no end
  LadderSearch(const SpinForm& form, const Arrangement<Number>& arrangement,
               std::vector<double> temperatures, bool with_pairs, std::uint64_t seed, Index ladder,
               std::uint64_t first_step, const SearchEnd* end = nullptr);

  /// Bytes of the replicas of a ladder.
  static double bytes(const Arrangement<Number>& arrangement, std::size_t rungs);

  /// Sweeps every rung `sweeps` times. Stops earlier if a state is as low as `target`, or if `end`
  /// is reached.
  /// @param threads number of threads that share the rungs; no bit of the results depends on it
  void advance(Index sweeps, double target, int threads);

  /// Number of replicas that a sweep of every rung updates.
  Index replicas() const { return copies_ * rungs_; }
  static Index replicas_of(const Arrangement<Number>& arrangement, std::size_t rungs) {
    return copies_of(arrangement) * static_cast<Index>(rungs);
  }
  /// Searches for minima once more. @param end if it is reached, the search is skipped
  void finish(int threads, const SearchEnd& end) { search_minima(threads, &end); }
  /// Records the lowest replica without a descent, after the search has ended early.
  void stop_early();
  const Found& found() const { return found_; }
  Index sweeps() const { return sweeps_; }
  double seconds() const { return seconds_; }
  bool has_reached(double target) const { return found_.energy <= target; }

  /// Resets the counts of energies and exchanges.
  void reset_counts();
  /// Energies of every rung since reset_counts.
  std::vector<tempering::RungEnergy> energies() const;
  tempering::PairRates rates() const;

 private:
  const SpinForm* form_;
  const Arrangement<Number>* arrangement_;
  std::vector<double> temperature_;
  bool with_pairs_;
  std::uint64_t seed_, first_step_;
  Index ladder_, rungs_, copies_;
  double tolerance_;
  const SearchEnd* end_;
  Index ready_ = 0;  ///< number of replicas that already have a configuration
  Replicas<Number> replicas_, descending_;
  std::vector<Index> replica_at_;                ///< number of a replica, (copy, rung)
  std::vector<IsoenergeticMove<Number>> moves_;  ///< one for each rung; empty if there is one copy
  Found found_;
  Index sweeps_ = 0, counted_ = 0;
  double seconds_ = 0;
  std::vector<double> sum_, sum_of_squares_, reference_, accepted_, proposed_;

  static Index copies_of(const Arrangement<Number>& arrangement) {
    return has_small_clusters(arrangement) ? 2 : 1;
  }
  static Index cold_half(Index rungs) { return (rungs + 1) / 2; }
  Index cold_rungs() const { return cold_half(rungs_); }
  Index seed_name(Index replica) const { return replica + replicas() * ladder_; }
  Index at(Index copy, Index rung) const {
    return replica_at_[static_cast<std::size_t>(copy * rungs_ + rung)];
  }
  static bool is_reached(const SearchEnd* end) { return end != nullptr && end->is_reached(); }
  /// @return false if `end` was reached before all replicas were swept
  bool sweep_once(int threads);
  void exchange(Index copy);
  void count();
  /// @param end if it is reached, the search is skipped; null: no end
  void search_minima(int threads, const SearchEnd* end);
  void record_if_lower(Replicas<Number>& replicas, Index n);
};

}  // namespace larmor::ground_states
