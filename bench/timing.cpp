#include "bench/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace larmor::bench {

double elapsed_seconds(const std::function<void()>& work, const Communicator& world) {
  using Clock = std::chrono::steady_clock;
  world.maximum({0});
  const auto start = Clock::now();
  work();
  return world.maximum({std::chrono::duration<double>(Clock::now() - start).count()})[0];
}

double best_seconds(const Device& device, const std::function<void(Index times)>& run,
                    const Runs& runs, const Communicator& world) {
  std::fflush(stdout);  // shows earlier results even if this run is interrupted
  const auto seconds = [&](Index times) {
    const auto work = [&] {
      run(times);
      synchronise(device);
    };
    return elapsed_seconds(work, world);
  };
  // The first run may compile kernels. The first run of each number of repetitions records a launch
  // graph.
  seconds(1);
  Index times = 1;
  while (seconds(times) < runs.shortest) times *= 2;
  for (double warm = 0; warm < runs.warm_up;) warm += seconds(times);
  double best = std::numeric_limits<double>::infinity();
  for (int n = 0; n < runs.count; ++n) best = std::min(best, seconds(times));
  return best / static_cast<double>(times);
}

double best_rate(const Device& device, Index sites, const std::function<void()>& update) {
  const auto run = [&](Index updates) {
    for (Index n = 0; n < updates; ++n) update();
  };
  return static_cast<double>(sites) / best_seconds(device, run);
}

Index times_that_take(double seconds, const std::function<void()>& work) {
  work();  // the first run may create data that later runs keep
  Index times = 0;
  for (double elapsed = 0; elapsed < seconds; ++times) elapsed += elapsed_seconds(work);
  return times;
}

std::vector<double> best_seconds_in_turn(const std::vector<std::function<void()>>& works) {
  constexpr int rounds = 5;
  std::vector<double> best(works.size(), std::numeric_limits<double>::infinity());
  for (const auto& work : works) work();
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i)
      best[i] = std::min(best[i], elapsed_seconds(works[i]));
  return best;
}

}  // namespace larmor::bench
