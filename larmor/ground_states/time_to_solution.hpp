#pragma once
// Time to solution: how long independent searches take until one of them has found the solution
// with a probability of 99 %. A search that has found it after a time t with the probability p(t)
// is begun anew after t, as often as that takes:
//     TTS = min over t of  t max(1, ln(1 - 0.99) / ln(1 - p(t))).
// Of n searches of which k have found it by then, p = (k + 1/2) / (n + 1): that all of a few have
// does not say that all will. Source: T. F. Ronnow et al., Science 345, 420 (2014).

#include <cstdint>
#include <limits>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::ground_states {

/// Infinite if no search has found it.
struct TimeToSolution {
  static constexpr double never = std::numeric_limits<double>::infinity();

  double value = never;
  double lower = never, upper = never;  ///< of 68 % of the draws of the bootstrap
};

/// @param times until each search found it; infinite of those that did not
/// @param seed of the draws
TimeToSolution time_to_solution(const std::vector<double>& times, std::uint64_t seed);

/// Searches that found it after about the same time.
struct TimesAlike {
  double time;
  Index count;
};

/// The same of many searches. @param found those that found it, in order of their times
/// @param searches all of them
TimeToSolution time_to_solution(const std::vector<TimesAlike>& found, Index searches,
                                std::uint64_t seed);

}  // namespace larmor::ground_states
