#include "bench/rate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace larmor::bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int repeats = 5;

}  // namespace

double best_rate(const Device& device, Index sites, const std::function<void()>& update) {
  std::fflush(stdout);
  const auto seconds = [&](Index updates) {
    synchronise(device);
    const auto start = Clock::now();
    for (Index n = 0; n < updates; ++n) update();
    synchronise(device);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Index updates = 1;
  while (seconds(updates) < 0.1) updates *= 2;
  double best = 0;
  for (int repeat = 0; repeat < repeats; ++repeat)
    best = std::max(best, static_cast<double>(updates * sites) / seconds(updates));
  return best;
}

Index times_that_take(double seconds, const std::function<void()>& work) {
  work();  // the first run may create data that are kept
  const auto start = Clock::now();
  Index times = 0;
  do {
    work();
    ++times;
  } while (std::chrono::duration<double>(Clock::now() - start).count() < seconds);
  return times;
}

std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works) {
  std::vector<double> best(works.size(), std::numeric_limits<double>::infinity());
  for (const auto& work : works) work();
  for (int repeat = 0; repeat < repeats; ++repeat)
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto start = Clock::now();
      works[i]();
      best[i] = std::min(best[i], std::chrono::duration<double>(Clock::now() - start).count());
    }
  return best;
}

}  // namespace larmor::bench
