#pragma once
// Joins segments to a trajectory, each once. The segments of a state are used in the order of their
// numbers, never in the order in which workers complete them: a segment that changes its state
// takes longer, so the first ones to be complete have too few changes. If the next segment is
// missing, the trajectory waits for it.

#include <map>
#include <unordered_map>

#include "larmor/parsplice/segment.hpp"

namespace larmor::parsplice {

class Splicer {
 public:
  /// @param goal_steps the trajectory ends with the segment that reaches this length
  Splicer(StateLabel first, Index goal_steps) : trajectory_(first), goal_steps_(goal_steps) {}

  /// Keeps the segment until the trajectory uses it.
  /// @throws InternalError for a segment that was there before
  void add(Segment segment);

  const Trajectory& trajectory() const { return trajectory_; }
  bool has_reached_goal() const { return trajectory_.steps() >= goal_steps_; }
  /// Number of the next segment of this state that the trajectory uses.
  Index next_number(StateLabel state) const;
  /// A segment that the trajectory has not used; null if it is missing or used.
  const Segment* unused(const SegmentName& name) const;

 private:
  struct Hash {
    std::size_t operator()(const SegmentName& name) const {
      return name.state * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(name.number);
    }
  };

  void splice();

  Trajectory trajectory_;
  Index goal_steps_;
  std::map<StateLabel, Index> next_;
  std::unordered_map<SegmentName, Segment, Hash> unused_;
};

}  // namespace larmor::parsplice
