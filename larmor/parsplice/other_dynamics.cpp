#include "larmor/parsplice/other_dynamics.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"
#include "larmor/parsplice/segment.hpp"

namespace larmor::parsplice {

namespace {

/// Longest run of one replica before the others follow.
constexpr Index steps_at_a_time = 10000;

class ParallelReplicas {
 public:
  ParallelReplicas(const SegmentSystem& system, const Configuration& first,
                   const ParallelReplicaRule& rule)
      : system_(system),
        rule_(rule),
        configuration_(first),
        trajectory_(system.state(first)),
        reference_key_{rule.seed, 0, Stream::parallel_replica} {
    for (Index r = 1; r <= rule.replicas; ++r)
      keys_.push_back({rule.seed, 0, Stream::parallel_replica, static_cast<std::uint64_t>(r)});
  }

  Trajectory run(Index goal_steps) {
    while (trajectory_.steps() < goal_steps) {
      decorrelate();
      leave();
    }
    return trajectory_;
  }

 private:
  void decorrelate() {
    for (Index stayed = 0; stayed < rule_.correlation_steps;) {
      const Advance advance =
          system_.advance(configuration_, rule_.correlation_steps - stayed, reference_key_);
      reference_key_.step += static_cast<std::uint64_t>(advance.steps);
      stayed = advance.state == trajectory_.state() ? stayed + advance.steps : 0;
      trajectory_.stay(advance.steps);
      trajectory_.enter(advance.state);
    }
  }

  void leave() {
    const Configuration reference = system_.reference(configuration_);
    std::vector<Configuration> replicas;
    for (RandomKey& key : keys_)
      replicas.push_back(dephased(system_, rule_.correlation_steps, reference, key));
    Index passed = 0;
    while (!leaves(replicas, passed)) passed += steps_at_a_time;
  }

  /// Runs each replica, until one leaves. @param passed steps of each replica so far
  bool leaves(std::vector<Configuration>& replicas, Index passed) {
    const StateLabel home = trajectory_.state();
    // A later replica counts only if it leaves in an earlier step.
    Index fewest = steps_at_a_time, leaver = -1;
    StateLabel entered = home;
    for (Index r = 0; r < rule_.replicas; ++r) {
      const auto i = static_cast<std::size_t>(r);
      const Index most = leaver < 0 ? fewest : fewest - 1;
      if (most == 0) break;
      const Advance advance = system_.advance(replicas[i], most, keys_[i]);
      keys_[i].step += static_cast<std::uint64_t>(advance.steps);
      if (advance.state == home) continue;
      fewest = advance.steps;
      leaver = r;
      entered = advance.state;
    }
    if (leaver < 0) return false;
    trajectory_.stay(rule_.replicas * (passed + fewest - 1) + leaver + 1);
    trajectory_.enter(entered);
    configuration_ = replicas[static_cast<std::size_t>(leaver)];
    return true;
  }

  const SegmentSystem& system_;
  ParallelReplicaRule rule_;
  Configuration configuration_;
  Trajectory trajectory_;
  RandomKey reference_key_;
  std::vector<RandomKey> keys_;
};

}  // namespace

Trajectory direct_trajectory(const SegmentSystem& system, const Configuration& first,
                             Index goal_steps, std::uint64_t seed) {
  RandomKey key{seed, 0, Stream::parallel_replica};
  Configuration configuration = first;
  Trajectory trajectory(system.state(first));
  while (trajectory.steps() < goal_steps) {
    const Advance advance = system.advance(configuration, goal_steps - trajectory.steps(), key);
    key.step += static_cast<std::uint64_t>(advance.steps);
    trajectory.stay(advance.steps);
    trajectory.enter(advance.state);
  }
  return trajectory;
}

Trajectory parallel_replica_trajectory(const SegmentSystem& system, const Configuration& first,
                                       Index goal_steps, const ParallelReplicaRule& rule) {
  if (rule.replicas < 1)
    throw InputError("there are " + std::to_string(rule.replicas) + " parallel replicas",
                     "at least one replica");
  if (rule.correlation_steps < 1)
    throw InputError("the correlation time is " + std::to_string(rule.correlation_steps) + " steps",
                     "at least 1 step");
  return ParallelReplicas(system, first, rule).run(goal_steps);
}

}  // namespace larmor::parsplice
