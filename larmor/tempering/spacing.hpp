#pragma once
// Placement of the rungs of a ladder. A rung is a value: a temperature, or a coupling of the
// Hamiltonian. Values rise or fall along a ladder, and the values at its ends are fixed.
//
// Equal acceptance. Two rungs whose energies are normal, with equal variances sigma^2 and weights
// exp(-b E), exchange their replicas with the mean probability
//     A = erfc(lambda / 2),   lambda = |b' - b| sigma.
// The acceptance of a pair therefore gives its length lambda. Lengths add up along a ladder if the
// heat capacity changes little. Rungs at equal distances of length then exchange equally often. A
// few rounds of measuring and moving correct for the approximations.
//
// Feedback. Between the rungs i and i + 1 the flow f (walker_label.hpp) falls by Df_i. For a fixed
// number of rungs, round trips are most frequent if f falls equally in all gaps. To reach this, a
// gap with the fraction Df of the fall receives a number of rungs proportional to sqrt(Df). If
// proposals alternate, a walker that has moved is next proposed to move on in its direction. As a
// result, f jumps by J / 2 at each end, whatever the rungs, where J is twice the number of round
// trips of a ladder in an exchange. These jumps are subtracted first.
//
// Sources: C. Predescu, M. Predescu and C. V. Ciobanu, J. Chem. Phys. 120, 4119 (2004) and
// A. Kone and D. A. Kofke, J. Chem. Phys. 122, 206101 (2005) for the acceptance; H. G. Katzgraber,
// S. Trebst, D. A. Huse and M. Troyer, J. Stat. Mech. P03018 (2006) for the feedback; S. Syed,
// A. Bouchard-Cote, G. Deligiannidis and A. Doucet, J. R. Stat. Soc. B 84, 321 (2022) for
// alternating proposals.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::tempering {

/// The scale on which gaps between rungs are compared: logarithmic for temperatures.
enum class RungScale { linear, logarithmic };

/// @param first, last the values at the ends, kept bit by bit; positive on the logarithmic scale
/// @param rungs two or more
/// @throws InternalError for other ends or rungs
std::vector<double> spaced_ladder(double first, double last, Index rungs, RungScale scale);

/// Why a ladder is unusable, and a remedy.
struct LadderFault {
  std::string problem, remedy;
};

/// Returns no fault if the values are two or more finite numbers that rise or fall throughout. On
/// the logarithmic scale they must also be positive.
/// @param name key of the values, such as "temperature"
std::optional<LadderFault> fault_of_values(const std::vector<double>& ladder, RungScale scale,
                                           const std::string& name);

/// How often each rung exchanges its replica with the next.
struct PairRates {
  std::vector<double> rate;       ///< accepted fraction of the proposals [rungs - 1]
  std::vector<double> proposals;  ///< [rungs - 1]; infinite if the rate is estimated, not counted
};

/// Energies measured at a rung.
struct RungEnergy {
  double b;  ///< the weight is exp(-b energy): 1 / (k_B T) for temperatures
  double mean, variance;
};

/// Mean probability of an exchange of two rungs, each with a normal distribution of its energy.
double estimated_acceptance(const RungEnergy& a, const RungEnergy& b);
/// Estimated acceptance of every pair of neighbours, for use before exchanges are counted.
PairRates estimated_rates(const std::vector<RungEnergy>& rungs);

/// lambda of a pair. If the rate is 0 or 1, the number of proposals bounds the estimate.
double pair_length(double rate, double proposals);

/// The ladder moved towards equal acceptance.
/// @param damping the fraction of the way that rungs move, in (0, 1]
std::vector<double> equal_acceptance_ladder(const std::vector<double>& ladder, RungScale scale,
                                            const PairRates& rates, double damping = 1);

/// The acceptance of every pair, if this many rungs between the measured ends had equal acceptance.
double equal_acceptance(const PairRates& rates, Index rungs);
/// The number of rungs between the measured ends that gives this acceptance to every pair.
Index rungs_for_acceptance(const PairRates& rates, double acceptance);

/// Origins of walkers, counted at every exchange of every ladder.
struct FlowCounts {
  std::vector<double> from_first, from_last;  ///< visits by walkers with this label [rungs]
  double round_trips = 0;                     ///< sum over all ladders
  double exchanges = 0;  ///< proposals of one half of the pairs, over all ladders
};

/// f at every rung: 1 at the first, 0 at the last, never rising. Rungs without counts are
/// interpolated. [rungs]
std::vector<double> monotone_flow(const FlowCounts& counts);

/// Fall of monotone_flow from each rung to the next, minus the jumps at the ends. [rungs - 1]
std::vector<double> flow_falls(const FlowCounts& counts);

struct FeedbackSettings {
  /// Weight of the prior assumption that f falls evenly. If this many round trips are counted, the
  /// counts weigh as much as the prior. If none is counted, the ladder stays.
  double prior_round_trips = 10;
  /// Feedback widens gaps that walkers cross easily, but keeps this acceptance if possible.
  double least_acceptance = 0.1;
};

/// The ladder moved towards a flow that falls evenly.
std::vector<double> feedback_ladder(const std::vector<double>& ladder, RungScale scale,
                                    const FlowCounts& counts, const PairRates& rates,
                                    const FeedbackSettings& settings = {});

/// Finds pairs that never exchange their replicas after tuning, and so cut the ladder in two.
/// Returns no fault if there are none, or if the proposals are too few to decide.
/// @param name as for fault_of_values
std::optional<LadderFault> unconnected_pair(const std::vector<double>& ladder, RungScale scale,
                                            const PairRates& rates, const std::string& name);

}  // namespace larmor::tempering
