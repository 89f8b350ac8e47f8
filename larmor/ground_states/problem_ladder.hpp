#pragma once
// Temperatures and moves that suit a problem. At the hottest one the spin with the largest
// couplings is free to turn. At the coldest one about one spin is excited in a local minimum. The
// rungs between them exchange equally often.
//
// A rule that many variables obey together, such as their number, is a barrier for single flips
// that pairs of them do not meet. Such problems show in minima: some pairs cost far less than any
// flip.

#include "larmor/ground_states/ladder_search.hpp"
#include "larmor/ground_states/search.hpp"

namespace larmor::ground_states {

struct ProblemLadder {
  std::vector<double> temperatures;  ///< of E, the coldest first
  bool with_pairs = false;           ///< are sweeps to flip pairs too?
  double updates = 0;                ///< of spins, to find it
  Found lowest = {};                 ///< state on the way
};

/// The coldest and the hottest one alone. @param end where it comes first, they are guesses
template <class Number>
ProblemLadder temperature_range(const SpinForm& form, const Arrangement<Number>& arrangement,
                                const SearchSettings& settings, const SearchEnd& end);

/// @param goes_on is called now and then with the updates of spins that are done, and those that
/// there will be, as far as that is known; false ends the tuning
template <class Number>
ProblemLadder problem_ladder(const SpinForm& form, const Arrangement<Number>& arrangement,
                             const SearchSettings& settings, const SearchEnd& end,
                             const std::function<bool(double, double)>& goes_on);

}  // namespace larmor::ground_states
