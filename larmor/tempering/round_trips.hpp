#pragma once
// A measure of how well replicas travel along a ladder with fixed rungs.
//
// A ladder of rungs 0..N makes J / 2 round trips in an exchange, where J is the current of labelled
// walkers (walker_label.hpp). Between the rungs i and i + 1 the current meets the resistance R_i =
// Df_i / J, with the fall Df_i of the flow there. The flow also jumps at the ends, so 1 = J (1 +
// sum_i R_i). If energies were drawn anew between exchanges, the resistance of a pair with
// acceptance A_i would be
//     R_i = (1 - A_i) / A_i,
// and the ladder would make 1 / (2 + 2 sum_i (1 - A_i) / A_i) round trips in an exchange.
// Correlated energies reduce this number. A walker diffuses with D_i = 1 / (2 R_i) rungs squared in
// an exchange.
//
// Sources: H. G. Katzgraber, S. Trebst, D. A. Huse and M. Troyer, J. Stat. Mech. P03018 (2006) for
// the flow; S. Syed, A. Bouchard-Cote, G. Deligiannidis and A. Doucet, J. R. Stat. Soc. B 84, 321
// (2022) for alternating proposals.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::tempering {

/// Counts of ladders with equal rungs.
struct LadderCounts {
  std::vector<double> values;       ///< values of the rungs [rungs]
  std::vector<double> from_first;   ///< visits by walkers with this label (ladder, rung)
  std::vector<double> from_last;    ///< visits by walkers with this label (ladder, rung)
  std::vector<double> acceptance;   ///< acceptance of each rung with the next (ladder, rungs - 1)
  std::vector<double> round_trips;  ///< round trips of all walkers of a ladder [ladders]
  double exchanges = 0;             ///< exchanges of each ladder, each of one half of the pairs
  double sweeps = 0;                ///< sweeps of each replica
};

/// The counts summed over all ladders, for feedback.
FlowCounts flow_counts(const LadderCounts& counts);

/// Mean acceptance over all ladders, for tuning.
PairRates pair_rates(const LadderCounts& counts);

/// A value with its error, from the scatter of ladders. Unknown numbers are NaN. If there is one
/// ladder, all errors are unknown.
struct Uncertain {
  double value, error;
};

/// A gap between rungs that replicas cross more rarely than the others.
struct Bottleneck {
  Index lower_rung;       ///< the gap is between this rung and the next
  double acceptance;      ///< acceptance at this gap
  bool exchanges_rarely;  ///< if false, replicas exchange as elsewhere, but come back
};

struct RoundTripReport {
  std::vector<double> values;
  std::vector<Uncertain> acceptance;  ///< [rungs - 1]
  std::vector<Uncertain> flow;      ///< fraction of walkers from the first end, as counted [rungs]
  std::vector<double> diffusivity;  ///< rungs squared in a sweep [rungs - 1]
  Index ladders = 0;
  double sweeps = 0;
  Uncertain rate;            ///< round trips of a ladder in a sweep
  Uncertain time;            ///< sweeps in which a replica makes a round trip
  double rate_of_exchanges;  ///< the rate expected from the acceptances only
  std::vector<Bottleneck> bottlenecks;
};

/// @throws InternalError for counts whose sizes do not match, or no counts
RoundTripReport report_of(const LadderCounts& counts);

/// The lines of the report for a terminal. @param name of the values, such as "temperature"
/// @param sweep name of a sweep
std::vector<std::string> lines_of(const RoundTripReport& report, const std::string& name,
                                  const std::string& sweep = "sweep");

}  // namespace larmor::tempering
