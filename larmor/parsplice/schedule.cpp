#include "larmor/parsplice/schedule.hpp"

#include "larmor/core/error.hpp"

namespace larmor::parsplice {

void Schedule::add_state(StateLabel state, Configuration reference) {
  std::vector<Lane> lanes;
  for (Index lane = 0; lane < lanes_; ++lane) lanes.push_back({lane});
  states_.emplace(state, State{std::move(reference), std::move(lanes)});
}

Schedule::Lane& Schedule::lane_of(const SegmentName& name) {
  return states_.at(name.state).lanes[static_cast<std::size_t>(name.number % lanes_)];
}

bool Schedule::can_run(const SegmentName& name) const {
  const auto found = states_.find(name.state);
  if (found == states_.end()) return false;
  const Lane& lane = found->second.lanes[static_cast<std::size_t>(name.number % lanes_)];
  return lane.next == name.number && !lane.is_running;
}

SegmentTask Schedule::begin(const SegmentName& name) {
  if (!can_run(name)) throw InternalError("a segment runs twice, or before its predecessor");
  Lane& lane = lane_of(name);
  lane.is_running = true;
  ++running_;
  return {name, lane.end.value_or(states_.at(name.state).reference), lane.end.has_value()};
}

void Schedule::complete(const Segment& segment) {
  Lane& lane = lane_of(segment.name);
  if (lane.next != segment.name.number)
    throw InternalError("a segment was delivered twice, or before its predecessor");
  stop(lane);
  lane.next += lanes_;
  lane.end.reset();
  if (segment.end_state() == segment.name.state) lane.end = segment.end;
}

void Schedule::lose(const SegmentName& name) { stop(lane_of(name)); }

void Schedule::stop(Lane& lane) {
  // Segments of a file are complete without having run here.
  if (lane.is_running) --running_;
  lane.is_running = false;
}

}  // namespace larmor::parsplice
