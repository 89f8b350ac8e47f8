#include "bench/rate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace larmor::bench {

double best_rate(const Device& device, Index sites, const std::function<void()>& update) {
  using Clock = std::chrono::steady_clock;
  constexpr int repeats = 5;
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

}  // namespace larmor::bench
