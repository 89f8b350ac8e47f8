#pragma once
// Which segments of each state are complete, run on a worker, or can run. A state has several
// lanes. Lane l has the segments l, l + lanes, l + 2 lanes and so on, which run one after the
// other.

#include <map>
#include <optional>
#include <vector>

#include "larmor/parsplice/segment.hpp"

namespace larmor::parsplice {

class Schedule {
 public:
  explicit Schedule(Index lanes) : lanes_(lanes) {}

  bool knows(StateLabel state) const { return states_.count(state) > 0; }
  /// @param reference begin of segments that need dephasing
  void add_state(StateLabel state, Configuration reference);
  const Configuration& reference(StateLabel state) const { return states_.at(state).reference; }

  /// Is its predecessor complete, and has no worker begun it?
  bool can_run(const SegmentName& name) const;
  /// The task of a segment that can run, which runs from now on.
  SegmentTask begin(const SegmentName& name);
  /// @throws InternalError unless the segment continues its lane
  void complete(const Segment& segment);
  /// A worker was lost with this segment, so another worker can run it.
  void lose(const SegmentName& name);
  Index running() const { return running_; }

 private:
  struct Lane {
    Index next;  ///< number of its next segment
    bool is_running = false;
    std::optional<Configuration> end{};  ///< end of its last segment, if in this state
  };
  struct State {
    Configuration reference;
    std::vector<Lane> lanes;
  };

  Lane& lane_of(const SegmentName& name);
  void stop(Lane& lane);

  Index lanes_;
  Index running_ = 0;
  std::map<StateLabel, State> states_;
};

}  // namespace larmor::parsplice
