#include "larmor/parsplice/trajectory.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

void Trajectory::stay(Index steps) {
  stays_.back().steps += steps;
  steps_ += steps;
}

void Trajectory::enter(StateLabel state) {
  if (state != this->state()) stays_.push_back({state, 0});
}

void Trajectory::append(std::span<const Stay> segment) {
  if (segment.empty() || segment.front().state != state())
    throw InternalError("a segment begins in another state than the end of the trajectory");
  for (const Stay& part : segment) {
    enter(part.state);
    stay(part.steps);
  }
}

Trajectory Trajectory::first(Index steps) const {
  if (steps > steps_) throw InternalError("a trajectory is shorter than its part");
  Trajectory part(stays_.front().state);
  for (const Stay& stay : stays_) {
    if (part.steps() == steps) break;
    part.enter(stay.state);
    part.stay(std::min(stay.steps, steps - part.steps()));
  }
  return part;
}

std::vector<Trajectory> Trajectory::parts(Index count) const {
  const Index length = count > 0 ? steps_ / count : 0;
  if (length < 1) throw InternalError("a trajectory of fewer steps than parts");
  std::vector<Trajectory> parts;
  std::size_t at = 0;
  Index left = stays_[0].steps;
  for (Index part = 0; part < count; ++part) {
    while (left == 0) left = stays_[++at].steps;
    Trajectory& here = parts.emplace_back(stays_[at].state);
    while (here.steps() < length) {
      if (left == 0) left = stays_[++at].steps;
      here.enter(stays_[at].state);
      const Index taken = std::min(left, length - here.steps());
      here.stay(taken);
      left -= taken;
    }
  }
  return parts;
}

}  // namespace larmor::parsplice
