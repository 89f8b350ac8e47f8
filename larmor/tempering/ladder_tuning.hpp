#pragma once
// A ladder is tuned while it thermalises, round by round: replicas exchange on rungs that stand
// still, what they did is counted, and the rungs move. Counts of a round begin when replicas have
// settled on the new rungs. The last part of the thermalisation has the final rungs.
//
// Feedback begins where acceptance is equal. It makes the best of walkers that diffuse. Walkers
// whose energies remember much longer than an exchange lasts need not gain by it: in spin glasses
// rungs at low temperatures, where feedback puts many, can even cost round trips. So each ladder is
// measured over as many exchanges, and that with most round trips is taken.

#include <optional>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::tempering {

enum class Spacing { linear, geometric, equal_acceptance, flow };

/// Exchanges of a round: those that nothing counts, and those that are counted.
struct TuningRound {
  Index settling, counted;
};

/// None: so many exchanges are enough to tune a ladder.
std::optional<LadderFault> fault_of_length(Spacing spacing, Index exchanges);

class LadderTuning {
 public:
  /// FORMAT: all there is to a tuning, as checkpoints have it.
  struct State {
    std::vector<double> ladder;  ///< of the round
    std::vector<double> best;    ///< with the most round trips yet; empty: none was measured
    double best_rate = 0;
    Index round = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  /// @param ladder to begin with @param exchanges of the thermalisation
  /// @throws InternalError for a ladder that is none
  LadderTuning(std::vector<double> ladder, RungScale scale, Spacing spacing, Index exchanges);

  /// Moves the rungs by what is measured at them, before any exchange is counted.
  void begin(const std::vector<RungEnergy>& energies);

  /// The rungs of this round, and after the last one those for good.
  const std::vector<double>& ladder() const { return state_.ladder; }
  /// None: the rungs stay as they are.
  std::optional<TuningRound> round() const;
  /// @param rates, counts of this round; the ladder is then that of the next
  void end_round(const PairRates& rates, const FlowCounts& counts);

  const State& state() const { return state_; }
  /// @throws InputError for a state of another ladder
  void load(State state);

 private:
  RungScale scale_;
  Spacing spacing_;
  std::vector<TuningRound> rounds_;
  State state_;
};

}  // namespace larmor::tempering
