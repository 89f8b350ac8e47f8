#pragma once
// Time to solution (TTS): after this time, repeated searches have found the solution with a
// probability of 99 %. Let p(t) be the probability that a search has found it after a time t. A
// search stops after t, and a new one begins, as often as needed:
//     TTS = min over t of  t max(1, ln(1 - 0.99) / ln(1 - p(t))).
// If k of n searches have found the solution after t, p(t) = (k + 1/2) / (n + 1). This p(t) is
// below 1 even if k = n. Source: T. F. Ronnow et al., Science 345, 420 (2014).

#include <cstdint>
#include <limits>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ground_states {

/// Infinite if no search has found the solution.
struct TimeToSolution {
  static constexpr double never = std::numeric_limits<double>::infinity();

  double value = never;
  double lower = never, upper = never;  ///< bounds of the central 68 % of the bootstrap draws
};

/// @param times time until each search found the solution; infinite if it did not find it
/// @param seed for the bootstrap draws
TimeToSolution time_to_solution(const std::vector<double>& times, std::uint64_t seed);

/// Searches that found the solution after nearly equal times.
struct TimesAlike {
  double time;
  Index count;
};

/// Time to solution of many searches. @param found the searches that found the solution, in order
/// of their times
/// @param searches number of all searches
TimeToSolution time_to_solution(const std::vector<TimesAlike>& found, Index searches,
                                std::uint64_t seed);

}  // namespace larmor::ground_states
