#include "larmor/parsplice/segment.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

namespace {

/// Random keys have 40 bits for the step.
constexpr std::uint64_t step_limit = std::uint64_t{1} << 40;

/// The number of steps of the next call.
/// @throws InputError if the system does not stay in a state
Index steps_of_call(const SegmentSystem& system, Index steps, const RandomKey& key) {
  steps = std::min(steps, system.most_steps_of_call());
  if (key.step + static_cast<std::uint64_t>(steps) >= step_limit)
    throw InputError("a segment needs more than 2^40 steps to stay in a state for tau_c",
                     "a shorter correlation time");
  return steps;
}

/// A replica that leaves its state more often than this before tau_c has passed would hardly ever
/// stay.
constexpr Index most_returns = 1000;

/// @param returns the number of times that a replica has left its state
void require_stay(Index returns) {
  if (returns <= most_returns) return;
  throw InputError("a replica left its state " + std::to_string(most_returns) +
                       " times before the correlation time had passed",
                   "a shorter correlation time, or a lower temperature");
}

void require_steps(const Advance& advance, Index asked) {
  if (advance.steps < 1 || advance.steps > asked)
    throw InternalError("a system advanced by another number of steps than asked");
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
  const StateLabel home = system.state(reference);
  Configuration configuration = reference;
  Index returns = 0;
  for (Index stayed = 0; stayed < correlation_steps;) {
    const Index asked = steps_of_call(system, correlation_steps - stayed, key);
    const Advance advance = system.advance(configuration, asked, key);
    require_steps(advance, asked);
    key.step += static_cast<std::uint64_t>(advance.steps);
    stayed += advance.steps;
    if (advance.state != home) {
      require_stay(++returns);
      configuration = reference;
      stayed = 0;
    }
  }
  return configuration;
}

SegmentMaker::SegmentMaker(const SegmentSystem& system, const SegmentRule& rule, SegmentTask task)
    : system_(system),
      rule_(rule),
      task_(std::move(task)),
      configuration_(task_.begin),
      key_{seed_of(rule.seed, task_.name), 0, Stream::segment_noise},
      is_decorrelated_(task_.is_decorrelated || rule.correlation_steps == 0),
      stayed_(is_decorrelated_ ? rule.correlation_steps : 0),
      stays_{{task_.name.state, 0}} {}

Index SegmentMaker::left() const {
  if (!is_decorrelated_) return rule_.correlation_steps - stayed_;
  return std::max(rule_.segment_steps - steps_, rule_.correlation_steps - stayed_);
}

AdvanceRequest SegmentMaker::request() {
  asked_ = steps_of_call(system_, left(), key_);
  return {configuration_, asked_, key_};
}

void SegmentMaker::take(const Advance& advance) {
  require_steps(advance, asked_);
  key_.step += static_cast<std::uint64_t>(advance.steps);
  stayed_ += advance.steps;
  if (!is_decorrelated_) {
    if (advance.state != task_.name.state) {
      require_stay(++returns_);
      configuration_ = task_.begin;
      stayed_ = 0;
    }
    is_decorrelated_ = stayed_ >= rule_.correlation_steps;
    return;
  }
  steps_ += advance.steps;
  stays_.back().steps += advance.steps;
  if (advance.state == stays_.back().state) return;
  stays_.push_back({advance.state, 0});
  stayed_ = 0;
}

Segment SegmentMaker::segment() const {
  return {task_.name, stays_, configuration_, static_cast<Index>(key_.step)};
}

Segment made_segment(const SegmentSystem& system, const SegmentRule& rule,
                     const SegmentTask& task) {
  static const std::atomic<bool> never{false};
  return *made_segment(system, rule, task, never);
}

std::optional<Segment> made_segment(const SegmentSystem& system, const SegmentRule& rule,
                                    const SegmentTask& task, const std::atomic<bool>& stop) {
  SegmentMaker maker(system, rule, task);
  while (!maker.is_done()) {
    if (stop) return std::nullopt;
    const AdvanceRequest call = maker.request();
    maker.take(system.advance(call.configuration, call.steps, call.key));
  }
  return maker.segment();
}

}  // namespace larmor::parsplice
