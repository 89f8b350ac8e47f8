#include "larmor/parsplice/segment.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

/// Random keys have 40 bits for the step.
constexpr std::uint64_t step_limit = std::uint64_t{1} << 40;

Advance advanced(const SegmentSystem& system, Configuration& configuration, Index steps,
                 RandomKey& key) {
  steps = std::min(steps, system.most_steps_of_call());
  if (key.step + static_cast<std::uint64_t>(steps) >= step_limit)
    throw InputError("a segment needs more than 2^40 steps to stay in a state for tau_c",
                     "a shorter correlation time");
  const Advance advance = system.advance(configuration, steps, key);
  if (advance.steps < 1 || advance.steps > steps)
    throw InternalError("a system advanced by another number of steps than asked");
  key.step += static_cast<std::uint64_t>(advance.steps);
  return advance;
}

const std::atomic<bool> never{false};

/// Nothing if `stop` became true before the end.
std::optional<Configuration> dephased_until(const SegmentSystem& system, Index correlation_steps,
                                            const Configuration& reference, RandomKey& key,
                                            const std::atomic<bool>& stop) {
  const StateLabel home = system.state(reference);
  Configuration configuration = reference;
  for (Index stayed = 0; stayed < correlation_steps;) {
    if (stop) return std::nullopt;
    const Advance advance = advanced(system, configuration, correlation_steps - stayed, key);
    stayed += advance.steps;
    if (advance.state != home) {
      configuration = reference;
      stayed = 0;
    }
  }
  return configuration;
}

}  // namespace

void SegmentRule::validate() const {
  if (segment_steps < 1)
    throw InputError("segments have " + std::to_string(segment_steps) + " steps",
                     "at least 1 step");
  if (correlation_steps < 0)
    throw InputError("the correlation time is " + std::to_string(correlation_steps) + " steps",
                     "0 steps or more");
  if (lanes < 1)
    throw InputError("a state has " + std::to_string(lanes) + " lanes", "at least 1 lane");
}

std::uint64_t seed_of(std::uint64_t seed, const SegmentName& name) {
  // BITS: the label fills the 64 bits of site and replica, the number is the step.
  const RandomKey key{seed, static_cast<std::uint64_t>(name.number), Stream::segment_seed};
  const RandomWords<std::uint64_t> words =
      philox<std::uint64_t>(key, name.state & 0xffffffffffull, name.state >> 40);
  return words.w[0] << 32 | words.w[1];
}

Configuration dephased(const SegmentSystem& system, Index correlation_steps,
                       const Configuration& reference, RandomKey& key) {
  return *dephased_until(system, correlation_steps, reference, key, never);
}

Segment made_segment(const SegmentSystem& system, const SegmentRule& rule,
                     const SegmentTask& task) {
  return *made_segment(system, rule, task, never);
}

std::optional<Segment> made_segment(const SegmentSystem& system, const SegmentRule& rule,
                                    const SegmentTask& task, const std::atomic<bool>& stop) {
  RandomKey key{seed_of(rule.seed, task.name), 0, Stream::segment_noise};
  std::optional<Configuration> configuration = task.begin;
  if (!task.is_decorrelated)
    configuration = dephased_until(system, rule.correlation_steps, task.begin, key, stop);
  if (!configuration) return std::nullopt;
  std::vector<Stay> stays{{task.name.state, 0}};
  // The begin has stayed for tau_c already.
  Index steps = 0, stayed = rule.correlation_steps;
  while (true) {
    const Index left = std::max(rule.segment_steps - steps, rule.correlation_steps - stayed);
    if (left <= 0) break;
    if (stop) return std::nullopt;
    const Advance advance = advanced(system, *configuration, left, key);
    steps += advance.steps;
    stayed += advance.steps;
    stays.back().steps += advance.steps;
    if (advance.state != stays.back().state) {
      stays.push_back({advance.state, 0});
      stayed = 0;
    }
  }
  return Segment{task.name, std::move(stays), std::move(*configuration),
                 static_cast<Index>(key.step)};
}

}  // namespace larmor::parsplice
