#include "larmor/study/parsplice/parsplice_table.hpp"

#include <fmt/core.h>

#include <cmath>

namespace larmor::study {
namespace {

/// @param key its name in messages
Index steps_in(double time, double duration, const char* key, const ParspliceKeys& keys) {
  const double steps = std::ceil(time / duration * (1 - 1e-12));
  if (steps > most_steps)
    throw InputError(fmt::format("{} lasts {:.3g} checks of the state", key, steps),
                     keys.where.of(key), "give at most 10^12 checks");
  return std::max<Index>(1, static_cast<Index>(steps));
}

}  // namespace

ParspliceSteps steps_of(const ParspliceKeys& keys, Index default_check) {
  ParspliceSteps steps{};
  steps.timesteps = keys.check_every.value_or(default_check);
  steps.duration = static_cast<double>(steps.timesteps) * keys.timestep;
  if (keys.correlation_time < steps.duration * (1 - 1e-12))
    throw InputError(fmt::format("correlation_time is shorter than the time {} between two checks "
                                 "of the state",
                                 number_text(steps.duration)),
                     keys.where.of("correlation_time"),
                     "give a longer correlation_time, or a smaller check_every");
  const double segment_time = keys.segment_time.value_or(10 * keys.correlation_time);
  steps.correlation_steps =
      steps_in(keys.correlation_time, steps.duration, "correlation_time", keys);
  steps.segment_steps = steps_in(segment_time, steps.duration, "segment_time", keys);
  steps.goal_steps = steps_in(keys.time, steps.duration, "time", keys);
  if (steps.goal_steps <= steps.correlation_steps)
    throw InputError(fmt::format("time is not longer than correlation_time ({}), so no state would "
                                 "have a rate",
                                 number_text(keys.correlation_time)),
                     keys.where.of("time"), "give a longer time, usually of many exits");
  return steps;
}

}  // namespace larmor::study
