#include "bench/launch_time.hpp"

#include <algorithm>
#include <chrono>

namespace larmor::bench {
namespace {

/// For a part of launches that were already timed as a whole.
constexpr Timing of_part{0, 0.05, 3, 1, false};

}  // namespace

double best_launch_seconds(const Device& device, const std::function<void()>& launch,
                           const Timing& timing, const Communicator& world) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [&](Index times) {
    world.maximum({0});  // all ranks begin together
    const auto start = Clock::now();
    for (Index n = 0; n < times; ++n) launch();
    synchronise(device);
    return world.maximum({std::chrono::duration<double>(Clock::now() - start).count()})[0];
  };
  synchronise(device);
  if (const double first = seconds(1); first > timing.longest)
    return timing.long_twice ? std::min(first, seconds(1)) : first;
  Index times = 1;
  while (seconds(times) < timing.shortest_run) times *= 2;
  for (double warm = 0; warm < timing.warm_up;) warm += seconds(times);
  double best = seconds(times);
  for (int run = 1; run < timing.runs; ++run) best = std::min(best, seconds(times));
  return best / static_cast<double>(times);
}

MethodMeasured measured_parts(const Device& device, const std::string& name,
                              const std::vector<LadderPart>& parts) {
  const auto all = [&] {
    for (const LadderPart& part : parts) part.launch();
  };
  MethodMeasured measured{name, best_launch_seconds(device, all), 0, {}};
  for (const LadderPart& part : parts)
    measured.parts.emplace_back(part.name, parts.size() == 1
                                               ? measured.seconds
                                               : best_launch_seconds(device, part.launch, of_part));
  return measured;
}

}  // namespace larmor::bench
