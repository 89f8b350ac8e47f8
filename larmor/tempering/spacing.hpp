#pragma once
// Where the rungs of a ladder lie. A rung is a value: a temperature, or a coupling that stands in
// the Hamiltonian. Values rise or fall along a ladder; those at its ends stay.
//
// Equal acceptance. Two rungs whose energies are normal, with equal variances sigma^2 and weights
// exp(-b E), exchange their replicas with the mean probability
//     A = erfc(lambda / 2),   lambda = |b' - b| sigma.
// The length lambda of a pair is therefore known from its acceptance. Lengths add up along a ladder
// where the heat capacity changes little, so that rungs at equal distances of length exchange
// equally often. A few rounds of measuring and moving settle what this leaves out.
//
// Feedback. Between the rungs i and i + 1 the flow f (walker_label.hpp) falls by Df_i. With as many
// rungs as there are, the round trips in a time are most where f falls equally between all of them:
// a gap that holds the part Df of the fall is to hold sqrt(Df) of the rungs.
// Pairs that are proposed in turn carry walkers on after an exchange, not to and fro. Then f jumps
// by J / 2 at each end, J twice the round trips of a ladder in an exchange, however its rungs lie.
// This jump is taken off first.
//
// Sources: C. Predescu, M. Predescu and C. V. Ciobanu, J. Chem. Phys. 120, 4119 (2004) and
// A. Kone and D. A. Kofke, J. Chem. Phys. 122, 206101 (2005) for the acceptance; H. G. Katzgraber,
// S. Trebst, D. A. Huse and M. Troyer, J. Stat. Mech. P03018 (2006) for the feedback; S. Syed,
// A. Bouchard-Cote, G. Deligiannidis and A. Doucet, J. R. Stat. Soc. B 84, 321 (2022) for pairs
// that are proposed in turn.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// In which numbers gaps between rungs are alike: temperatures in their logarithms.
enum class RungScale { linear, logarithmic };

/// @param first, last the values at the ends, kept to the bit; positive on the logarithmic scale
/// @param rungs two or more
/// @throws InternalError for other ends or rungs
std::vector<double> spaced_ladder(double first, double last, Index rungs, RungScale scale);

/// Why a ladder does not serve, and what would.
struct LadderFault {
  std::string problem, remedy;
};

/// None: the values are two or more finite numbers that rise or fall throughout, and are positive
/// where the scale is logarithmic.
/// @param name of the key that gives the values, such as "temperature"
std::optional<LadderFault> fault_of_values(const std::vector<double>& ladder, RungScale scale,
                                           const std::string& name);

/// How often each rung exchanged its replica with the next.
struct PairRates {
  std::vector<double> rate;       ///< part of the proposals that were accepted [rungs - 1]
  std::vector<double> proposals;  ///< [rungs - 1]; infinite where the rate is not counted
};

/// What the replicas at a rung measure.
struct RungEnergy {
  double b;  ///< the weight is exp(-b energy): 1 / (k_B T) for temperatures
  double mean, variance;
};

/// Mean probability of an exchange of two rungs, each with a normal distribution of its energy.
double estimated_acceptance(const RungEnergy& a, const RungEnergy& b);
/// The same for every pair of neighbours, to begin with where exchanges are not counted yet.
PairRates estimated_rates(const std::vector<RungEnergy>& rungs);

/// lambda of a pair; of a rate of 0 or 1 the number of proposals says how much it may be.
double pair_length(double rate, double proposals);

/// The ladder moved towards equal acceptance.
/// @param damping the part of the way that rungs go, in (0, 1]
std::vector<double> equal_acceptance_ladder(const std::vector<double>& ladder, RungScale scale,
                                            const PairRates& rates, double damping = 1);

/// Acceptance of every pair of a ladder of so many rungs with the same ends, were it equal.
double equal_acceptance(const PairRates& rates, Index rungs);
/// How many rungs between the same ends give that acceptance.
Index rungs_for_acceptance(const PairRates& rates, double acceptance);

/// Where walkers come from, counted at every exchange of every ladder.
struct FlowCounts {
  std::vector<double> from_first, from_last;  ///< walkers by the end they visited last [rungs]
  double round_trips = 0;                     ///< of all ladders
  double exchanges = 0;  ///< proposals of either half of the pairs, all ladders
};

/// f at every rung: 1 at the first, 0 at the last, never rising; rungs without counts lie between
/// their neighbours. [rungs]
std::vector<double> monotone_flow(const FlowCounts& counts);

/// By how much that flow falls from each rung to the next, less the jumps at the ends. [rungs - 1]
std::vector<double> flow_falls(const FlowCounts& counts);

struct FeedbackSettings {
  /// Of as many round trips the counts weigh as much as what was believed before: that f falls
  /// evenly. Without round trips the ladder stays.
  double prior_round_trips = 10;
  /// Feedback thins out rungs where walkers pass easily, but no further than this.
  double least_acceptance = 0.1;
};

/// The ladder moved towards a flow that falls evenly.
std::vector<double> feedback_ladder(const std::vector<double>& ladder, RungScale scale,
                                    const FlowCounts& counts, const PairRates& rates,
                                    const FeedbackSettings& settings = {});

/// After tuning: pairs that never exchange their replicas cut a ladder in two. None: there are no
/// such pairs, or so few proposals that nothing is known.
/// @param name as for fault_of_values
std::optional<LadderFault> fault_of_tuning(const std::vector<double>& ladder, RungScale scale,
                                           const PairRates& rates, const std::string& name);

}  // namespace larmor::tempering
