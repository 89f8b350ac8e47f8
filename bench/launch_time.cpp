#include "bench/launch_time.hpp"

#include <algorithm>

namespace larmor::bench {
namespace {

/// Shorter runs without warm-up, for single parts of launches that were already timed as a whole.
constexpr Timing of_part{{.shortest = 0.05, .count = 3}, 1, false};

}  // namespace

double best_launch_seconds(const Device& device, const std::function<void()>& launch,
                           const Timing& timing, const Communicator& world) {
  const auto once = [&] {
    launch();
    synchronise(device);
  };
  synchronise(device);
  if (const double first = elapsed_seconds(once, world); first > timing.longest)
    return timing.long_twice ? std::min(first, elapsed_seconds(once, world)) : first;
  const auto run = [&](Index times) {
    for (Index n = 0; n < times; ++n) launch();
  };
  return best_seconds(device, run, timing.runs, world);
}

MethodMeasured measured_parts(const Device& device, const std::string& name,
                              const std::vector<MethodPart>& parts) {
  const auto all = [&] {
    for (const MethodPart& part : parts) part.launch();
  };
  MethodMeasured measured{name, best_launch_seconds(device, all), 0, {}};
  for (const MethodPart& part : parts)
    measured.parts.emplace_back(part.name, parts.size() == 1
                                               ? measured.seconds
                                               : best_launch_seconds(device, part.launch, of_part));
  return measured;
}

}  // namespace larmor::bench
