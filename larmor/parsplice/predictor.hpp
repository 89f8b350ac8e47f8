#pragma once
// Chooses the segments that the trajectory will probably need. A walk goes ahead of the trajectory
// from state to state: through the segments that are complete, and by a random draw over each
// segment that is missing. The first segment of the walk that can run is the choice.
//
// The draws follow the numbers of transitions seen so far, with the prior that one more segment of
// each state ended where it began. This choice decides only where work is spent. The content of a
// segment does not depend on it, and neither does the order of use. So no prediction can bias the
// trajectory.

#include <map>
#include <optional>

#include "larmor/parsplice/schedule.hpp"
#include "larmor/parsplice/splicer.hpp"

namespace larmor::parsplice {

class Predictor {
 public:
  explicit Predictor(std::uint64_t seed) : seed_(seed) {}

  /// Learns where a segment ended.
  void learn(const Segment& segment) { ++counts_[segment.name.state][segment.end_state()]; }
  /// The state in which the next segment of `state` probably ends.
  /// @param uniform a random number in (0, 1)
  StateLabel drawn_end(StateLabel state, double uniform) const;
  /// No segment if the walk finds none within its limit.
  std::optional<SegmentName> next(const Splicer& splicer, const Schedule& schedule);

 private:
  std::uint64_t seed_;
  std::uint64_t predictions_ = 0;
  std::map<StateLabel, std::map<StateLabel, Index>> counts_;
};

}  // namespace larmor::parsplice
