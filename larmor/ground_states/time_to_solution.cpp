#include "larmor/ground_states/time_to_solution.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace larmor::ground_states {
namespace {

constexpr double wanted = 0.99;
constexpr int draws = 1000;

/// @param found number of searches that have found the solution within `time`
double time_of_restarts(double time, Index found, Index searches) {
  const double fraction = (static_cast<double>(found) + 0.5) / (static_cast<double>(searches) + 1);
  const double repeats = fraction < wanted ? std::log(1 - wanted) / std::log(1 - fraction) : 1;
  return time * std::max(1.0, repeats);
}

/// @param times in ascending order
double best_restart(const std::vector<double>& times) {
  double best = TimeToSolution::never;
  const auto searches = static_cast<Index>(times.size());
  for (Index n = 0; n < searches; ++n) {
    const double time = times[static_cast<std::size_t>(n)];
    if (!std::isfinite(time)) break;
    best = std::min(best, time_of_restarts(time, n + 1, searches));
  }
  return best;
}

/// @param count count(n) is the number of searches at times[n]
template <class Count>
double best_restart(const std::vector<TimesAlike>& times, Index searches, const Count& count) {
  double best = TimeToSolution::never;
  Index found = 0;
  for (std::size_t n = 0; n < times.size(); ++n) {
    const Index here = count(n);
    found += here;
    if (here > 0) best = std::min(best, time_of_restarts(times[n].time, found, searches));
  }
  return best;
}

TimeToSolution with_spread(double value, std::vector<double>& of_draw) {
  std::ranges::sort(of_draw);
  return {value, of_draw[draws * 16 / 100], of_draw[draws * 84 / 100]};
}

}  // namespace

TimeToSolution time_to_solution(const std::vector<double>& times, std::uint64_t seed) {
  if (times.empty()) return {};
  std::vector<double> sorted = times;
  std::ranges::sort(sorted);
  std::mt19937_64 random(seed);
  std::vector<double> of_draw, drawn(times.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (double& time : drawn) time = times[random() % times.size()];
    std::ranges::sort(drawn);
    of_draw.push_back(best_restart(drawn));
  }
  return with_spread(best_restart(sorted), of_draw);
}

TimeToSolution time_to_solution(const std::vector<TimesAlike>& found, Index searches,
                                std::uint64_t seed) {
  const double value = best_restart(found, searches, [&](std::size_t n) { return found[n].count; });
  std::mt19937_64 random(seed);
  std::vector<double> of_draw;
  for (int draw = 0; draw < draws; ++draw) {
    // A draw has as many searches as the data. Each time in turn takes a binomial share of the
    // searches that remain.
    Index drawn_left = searches, searches_left = searches;
    of_draw.push_back(best_restart(found, searches, [&](std::size_t n) {
      const double fraction =
          static_cast<double>(found[n].count) / static_cast<double>(searches_left);
      const Index here =
          std::binomial_distribution<Index>(drawn_left, std::min(1.0, fraction))(random);
      drawn_left -= here;
      searches_left -= found[n].count;
      return here;
    }));
  }
  return with_spread(value, of_draw);
}

}  // namespace larmor::ground_states
