#include "larmor/problems/time_to_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace larmor::problems {
namespace {

constexpr double wanted = 0.99;
constexpr int draws = 1000;

/// @param times in order
double best_restart(const std::vector<double>& times) {
  double best = std::numeric_limits<double>::infinity();
  const auto searches = static_cast<double>(times.size());
  for (std::size_t n = 0; n < times.size() && std::isfinite(times[n]); ++n) {
    const double found = (static_cast<double>(n + 1) + 0.5) / (searches + 1);
    const double repeats = found < wanted ? std::log(1 - wanted) / std::log(1 - found) : 1;
    best = std::min(best, times[n] * std::max(1.0, repeats));
  }
  return best;
}

}  // namespace

TimeToSolution time_to_solution(const std::vector<double>& times, std::uint64_t seed) {
  std::vector<double> sorted = times;
  std::ranges::sort(sorted);
  std::mt19937_64 random(seed);
  std::vector<double> of_draw, drawn(times.size());
  for (int draw = 0; draw < draws; ++draw) {
    for (double& time : drawn) time = times[random() % times.size()];
    std::ranges::sort(drawn);
    of_draw.push_back(best_restart(drawn));
  }
  std::ranges::sort(of_draw);
  return {best_restart(sorted), of_draw[draws * 16 / 100], of_draw[draws * 84 / 100]};
}

}  // namespace larmor::problems
