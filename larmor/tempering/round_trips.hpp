#pragma once
// How well replicas travel along a ladder whose rungs stand still.
//
// A ladder of rungs 0..N makes J / 2 round trips in an exchange, J the current of labelled walkers
// (walker_label.hpp). Between the rungs i and i + 1 it meets the resistance R_i = Df_i / J, Df_i
// the fall of the flow there; with the jumps at the ends 1 = J (1 + sum_i R_i). Were energies drawn
// anew between exchanges, the resistance of a pair of acceptance A_i would be
//     R_i = (1 - A_i) / A_i,
// and the ladder would make 1 / (2 + 2 sum_i (1 - A_i) / A_i) round trips in an exchange. What is
// missing is due to energies that remember. A walker diffuses with D_i = 1 / (2 R_i) rungs squared
// in an exchange.
//
// Sources: H. G. Katzgraber, S. Trebst, D. A. Huse and M. Troyer, J. Stat. Mech. P03018 (2006) for
// the flow; S. Syed, A. Bouchard-Cote, G. Deligiannidis and A. Doucet, J. R. Stat. Soc. B 84, 321
// (2022) for pairs that are proposed in turn.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/tempering/spacing.hpp"

namespace larmor::tempering {

/// What ladders with the same rungs have counted together.
struct LadderCounts {
  std::vector<double> values;       ///< of the rungs [rungs]
  std::vector<double> from_first;   ///< walkers by the end they visited last (ladder, rung)
  std::vector<double> from_last;    ///< (ladder, rung)
  std::vector<double> acceptance;   ///< of each rung with the next (ladder, rungs - 1)
  std::vector<double> round_trips;  ///< of all walkers of a ladder [ladders]
  double exchanges = 0;             ///< of each ladder, one half of the pairs at a time
  double sweeps = 0;                ///< of each replica
};

/// The counts of all ladders together, such as feedback takes.
FlowCounts flow_counts(const LadderCounts& counts);

/// Acceptance of all ladders together, such as tuning takes.
PairRates pair_rates(const LadderCounts& counts);

/// What is not known is NaN. Errors are those of the scatter of ladders: of one they are not known.
struct Uncertain {
  double value, error;
};

/// A gap that replicas pass more rarely than the others.
struct Bottleneck {
  Index lower_rung;       ///< the gap is between this rung and the next
  double acceptance;      ///< there
  bool exchanges_rarely;  ///< otherwise replicas exchange as elsewhere, but come back
};

struct RoundTripReport {
  std::vector<double> values;
  std::vector<Uncertain> acceptance;  ///< [rungs - 1]
  std::vector<Uncertain> flow;        ///< as counted [rungs]
  std::vector<double> diffusivity;    ///< rungs squared in a sweep [rungs - 1]
  Index ladders = 0;
  double sweeps = 0;
  Uncertain rate;            ///< round trips of a ladder in a sweep
  Uncertain time;            ///< sweeps in which a replica makes a round trip
  double rate_of_exchanges;  ///< the rate that acceptances alone allow
  std::vector<Bottleneck> bottlenecks;
};

/// @throws InternalError for counts that do not fit one another, or none
RoundTripReport report_of(const LadderCounts& counts);

/// The report for a terminal, a line each. @param name of the values, such as "temperature"
std::vector<std::string> lines_of(const RoundTripReport& report, const std::string& name);

}  // namespace larmor::tempering
