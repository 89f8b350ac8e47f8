#pragma once
// Time to solution: the time until one of several independent searches has found the solution, with
// a probability of 99 %. Let p(t) be the probability that a search has found it after a time t. The
// search is restarted after t, as often as needed:
//     TTS = min over t of  t max(1, ln(1 - 0.99) / ln(1 - p(t))).
// If k of n searches have found it by then, p = (k + 1/2) / (n + 1), which stays below 1 even if
// all have. Source: T. F. Ronnow et al., Science 345, 420 (2014).

#include <cstdint>
#include <limits>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ground_states {

/// Infinite if no search has found the solution.
struct TimeToSolution {
  static constexpr double never = std::numeric_limits<double>::infinity();

  double value = never;
  double lower = never, upper = never;  ///< bounds of 68 % of the bootstrap draws
};

/// @param times until each search found it; infinite if it did not
/// @param seed for the bootstrap draws
TimeToSolution time_to_solution(const std::vector<double>& times, std::uint64_t seed);

/// Searches that found the solution after about the same time.
struct TimesAlike {
  double time;
  Index count;
};

/// Time to solution of many searches. @param found those that found it, in order of their times
/// @param searches number of all searches
TimeToSolution time_to_solution(const std::vector<TimesAlike>& found, Index searches,
                                std::uint64_t seed);

}  // namespace larmor::ground_states
