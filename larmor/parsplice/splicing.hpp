#pragma once
// One spliced trajectory, from its first configuration to its goal. Workers take tasks, run them
// with `made_segment`, and deliver the segments.

#include <optional>

#include "larmor/parsplice/predictor.hpp"
#include "larmor/parsplice/segment_file.hpp"

namespace larmor::parsplice {

class Splicing {
 public:
  /// @param file keeps states and segments, so that a run can be killed and continued; may be null
  /// @throws InputError for a rule out of range, or another configuration than the system needs
  Splicing(const SegmentSystem& system, const SegmentRule& rule, const Configuration& first,
           Index goal_steps, SegmentFile* file = nullptr);

  const SegmentSystem& system() const { return system_; }
  const SegmentRule& rule() const { return rule_; }
  const Trajectory& trajectory() const { return splicer_.trajectory(); }
  bool has_reached_goal() const { return splicer_.has_reached_goal(); }
  /// Steps of all segments with those of dephasing.
  Index work() const { return work_; }

  /// The references of the states in which segments of the trajectory begin. They do not depend on
  /// the workers.
  std::map<StateLabel, Configuration> references() const;
  /// Writes all segments to the file, if there is one.
  void flush() const;

  /// The next task for a worker; none while no further segment seems useful.
  std::optional<SegmentTask> next_task();
  void deliver(Segment segment);
  /// A worker was lost with this segment. Another worker runs it again, with equal bits.
  void lose(const SegmentName& name) { schedule_.lose(name); }

 private:
  void add_state(const Configuration& configuration);
  void add(Segment segment);

  const SegmentSystem& system_;
  SegmentRule rule_;
  SegmentFile* file_;
  Splicer splicer_;
  Schedule schedule_;
  Predictor predictor_;
  Index work_ = 0;
};

}  // namespace larmor::parsplice
