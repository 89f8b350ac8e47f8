#pragma once
// Tuning of a ladder in rounds while it thermalises. In a round, replicas exchange on fixed rungs,
// the exchanges are counted, and then the rungs move. Counting begins when the replicas have
// settled on the new rungs. The last part of the thermalisation uses the final rungs.
//
// Feedback begins with rungs of equal acceptance. Feedback is best for walkers that diffuse.
// Feedback need not help if energies decorrelate much more slowly than exchanges follow each other.
// In spin glasses, feedback puts many rungs at low temperatures, which can even cost round trips.
// So each ladder is measured over equally many exchanges, and the ladder with the most round trips
// is taken.

#include <optional>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::tempering {

enum class Spacing { linear, geometric, equal_acceptance, flow };

/// Exchanges of a round: first uncounted ones, then counted ones.
struct TuningRound {
  Index settling, counted;
};

/// Finds no fault if this many exchanges are enough to tune a ladder.
std::optional<LadderFault> fault_of_length(Spacing spacing, Index exchanges);

class LadderTuning {
 public:
  /// FORMAT: the complete state of a tuning, as checkpoints store it.
  struct State {
    std::vector<double> ladder;  ///< rungs of the current round
    std::vector<double> best;    ///< ladder with the most round trips so far; empty if none was
                                 ///< measured
    double best_rate = 0;
    Index round = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  /// @param ladder initial rungs @param exchanges number of exchanges of the thermalisation
  /// @throws InternalError for an invalid ladder
  LadderTuning(std::vector<double> ladder, RungScale scale, Spacing spacing, Index exchanges);

  /// Moves the rungs before any exchange is counted. The energies measured at the rungs decide.
  void begin(const std::vector<RungEnergy>& energies);

  /// The rungs of this round; after the last round, the final rungs.
  const std::vector<double>& ladder() const { return state_.ladder; }
  /// The current round; empty if no round is left, so that the rungs are final.
  std::optional<TuningRound> round() const;
  /// Moves the rungs to those of the next round. @param rates, counts measured in this round
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
