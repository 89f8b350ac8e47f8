#pragma once
// Choice of temperatures and moves for a problem. At the hottest temperature the spin with the
// largest couplings flips freely. At the coldest temperature, about one spin is excited in a local
// minimum. The rungs between them exchange equally often.
//
// A constraint on many variables, such as on their sum, is a barrier for single flips, but not for
// flips of pairs. Local minima reveal such a problem: flips of some pairs cost far less than any
// single flip.

#include "larmor/ground_states/ladder_search.hpp"
#include "larmor/ground_states/search.hpp"

namespace larmor::ground_states {

struct ProblemLadder {
  std::vector<double> temperatures;  ///< in units of E, the coldest first
  bool with_pairs = false;           ///< should sweeps also flip pairs?
  double updates = 0;                ///< updates of spins in the search for the ladder
  Found lowest = {};                 ///< lowest state found on the way
};

/// Chooses only the coldest and the hottest temperature. @param end if it is reached before the
/// choice, both temperatures are guesses
template <class Number>
ProblemLadder temperature_range(const SpinForm& form, const Arrangement<Number>& arrangement,
                                const SearchSettings& settings, const SearchEnd& end);

/// @param report receives, at intervals, the updates of spins so far and an estimate of their
/// total; if it returns false, the tuning ends
template <class Number>
ProblemLadder problem_ladder(const SpinForm& form, const Arrangement<Number>& arrangement,
                             const SearchSettings& settings, const SearchEnd& end,
                             const std::function<bool(double, double)>& report);

}  // namespace larmor::ground_states
