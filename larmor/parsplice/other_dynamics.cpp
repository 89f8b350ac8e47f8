#include "larmor/parsplice/other_dynamics.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "larmor/core/device/thread_team.hpp"
#include "larmor/core/error.hpp"
#include "larmor/parsplice/segment.hpp"

namespace larmor::parsplice {

namespace {

Advance advanced_by(const SegmentSystem& system, Configuration& configuration, Index steps,
                    RandomKey& key) {
  const Advance advance =
      system.advance(configuration, std::min(steps, system.most_steps_of_call()), key);
  key.step += static_cast<std::uint64_t>(advance.steps);
  return advance;
}

/// Adds the reference of the state of a configuration, unless it is there.
void add_reference(const SegmentSystem& system, StateLabel state,
                   const Configuration& configuration, References& references) {
  if (!references.contains(state)) references.emplace(state, system.reference(configuration));
}

Trajectory trajectory_of(const std::vector<Stay>& stays) {
  if (stays.empty()) throw InternalError("a saved trajectory has no stays");
  Trajectory trajectory(stays.front().state);
  trajectory.append(stays);
  return trajectory;
}

}  // namespace

DirectDynamics::DirectDynamics(const SegmentSystem& system, const Configuration& first,
                               std::uint64_t seed, Index correlation_steps)
    : system_(system),
      correlation_steps_(correlation_steps),
      configuration_(first),
      trajectory_(system.state(first)),
      key_{seed, 0, Stream::parallel_replica} {
  add_reference(system_, trajectory_.state(), configuration_, references_);
}

void DirectDynamics::advance(Index steps) {
  while (steps > 0) {
    // A configuration on its way over a barrier may relax into another state, so a state has its
    // reference only after tau_c.
    const Index left = correlation_steps_ - trajectory_.stays().back().steps;
    const Advance advance =
        advanced_by(system_, configuration_, left > 0 ? std::min(left, steps) : steps, key_);
    trajectory_.stay(advance.steps);
    trajectory_.enter(advance.state);
    if (trajectory_.stays().back().steps >= correlation_steps_)
      add_reference(system_, advance.state, configuration_, references_);
    steps -= advance.steps;
  }
}

SavedDynamics DirectDynamics::save() const {
  return {configuration_, {}, trajectory_.stays(), references_};
}

void DirectDynamics::load(const SavedDynamics& saved) {
  configuration_ = saved.configurations;
  trajectory_ = trajectory_of(saved.stays);
  references_ = saved.references;
  key_.step = static_cast<std::uint64_t>(trajectory_.steps());
}

ParallelReplicas::ParallelReplicas(const SegmentSystem& system, const Configuration& first,
                                   const ParallelReplicaRule& rule, int threads)
    : system_(system),
      rule_(rule),
      threads_(threads),
      configuration_(first),
      trajectory_(system.state(first)) {
  if (rule.replicas < 1)
    throw InputError("there are " + std::to_string(rule.replicas) + " parallel replicas",
                     "at least one replica");
  if (rule.correlation_steps < 1)
    throw InputError("the correlation time is " + std::to_string(rule.correlation_steps) + " steps",
                     "at least 1 step");
  for (Index r = 1; r <= rule.replicas; ++r)
    keys_.push_back({rule.seed, 0, Stream::parallel_replica, static_cast<std::uint64_t>(r)});
  keys_.push_back({rule.seed, 0, Stream::parallel_replica});
  add_reference(system_, trajectory_.state(), configuration_, references_);
}

void ParallelReplicas::advance() {
  if (stayed_ < rule_.correlation_steps)
    settle();
  else if (replicas_.empty())
    dephase();
  else
    run_replicas();
}

void ParallelReplicas::settle() {
  const auto begin = std::chrono::steady_clock::now();
  const Advance advance =
      advanced_by(system_, configuration_, rule_.correlation_steps - stayed_, keys_.back());
  busy_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  work_ += advance.steps;
  stayed_ = advance.state == trajectory_.state() ? stayed_ + advance.steps : 0;
  trajectory_.stay(advance.steps);
  trajectory_.enter(advance.state);
  add_reference(system_, advance.state, configuration_, references_);
}

void ParallelReplicas::dephase() {
  const Configuration& reference = references_.at(trajectory_.state());
  const std::vector<RandomKey> before = keys_;
  std::vector<Configuration> replicas(static_cast<std::size_t>(rule_.replicas));
  for_each_replica([&](std::size_t r) {
    replicas[r] = dephased(system_, rule_.correlation_steps, reference, keys_[r]);
  });
  for (std::size_t r = 0; r < replicas.size(); ++r)
    work_ += static_cast<Index>(keys_[r].step - before[r].step);
  replicas_ = std::move(replicas);
  passed_ = 0;
}

void ParallelReplicas::run_replicas() {
  const StateLabel home = trajectory_.state();
  // BITS: replicas wait for one another after tau_c, so few steps are lost after the exit of one.
  const Index most = std::min(rule_.correlation_steps, system_.most_steps_of_call());
  std::vector<Advance> advances(replicas_.size());
  for_each_replica(
      [&](std::size_t r) { advances[r] = advanced_by(system_, replicas_[r], most, keys_[r]); });
  // The first replica with the fewest steps until it left.
  std::size_t leaver = replicas_.size();
  for (std::size_t r = 0; r < replicas_.size(); ++r) {
    work_ += advances[r].steps;
    if (advances[r].state != home &&
        (leaver == replicas_.size() || advances[r].steps < advances[leaver].steps))
      leaver = r;
  }
  if (leaver == replicas_.size()) {
    passed_ += most;
    return;
  }
  trajectory_.stay(rule_.replicas * (passed_ + advances[leaver].steps - 1) +
                   static_cast<Index>(leaver) + 1);
  trajectory_.enter(advances[leaver].state);
  configuration_ = std::move(replicas_[leaver]);
  add_reference(system_, trajectory_.state(), configuration_, references_);
  replicas_.clear();
  stayed_ = 0;
}

void ParallelReplicas::for_each_replica(const std::function<void(std::size_t)>& work) {
  struct Loop {
    const std::function<void(std::size_t)>& work;
    std::mutex mutex;
    std::exception_ptr error;
    double busy_seconds = 0;
  } loop{work, {}, nullptr};
  const auto run = [](const void* of, Index first, Index last) {
    Loop& shared = *static_cast<Loop*>(const_cast<void*>(of));
    const auto begin = std::chrono::steady_clock::now();
    std::exception_ptr error;
    try {
      for (Index r = first; r < last; ++r) shared.work(static_cast<std::size_t>(r));
    } catch (...) {
      error = std::current_exception();
    }
    const std::lock_guard lock(shared.mutex);
    if (error && !shared.error) shared.error = error;
    shared.busy_seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  share_loop(threads_, rule_.replicas, rule_.replicas, run, &loop);
  busy_seconds_ += loop.busy_seconds;
  if (loop.error) std::rethrow_exception(loop.error);
}

SavedDynamics ParallelReplicas::save() const {
  SavedDynamics saved{configuration_, {stayed_, passed_, work_}, trajectory_.stays(), references_};
  for (const RandomKey& key : keys_) saved.counters.push_back(static_cast<Index>(key.step));
  for (const Configuration& replica : replicas_)
    saved.configurations.insert(saved.configurations.end(), replica.begin(), replica.end());
  return saved;
}

void ParallelReplicas::load(const SavedDynamics& saved) {
  const auto numbers = static_cast<std::size_t>(system_.numbers());
  if (saved.counters.size() != keys_.size() + 3 || saved.configurations.size() % numbers != 0)
    throw InternalError("saved numbers of parallel replicas have another length");
  trajectory_ = trajectory_of(saved.stays);
  references_ = saved.references;
  stayed_ = saved.counters[0];
  passed_ = saved.counters[1];
  work_ = saved.counters[2];
  for (std::size_t r = 0; r < keys_.size(); ++r)
    keys_[r].step = static_cast<std::uint64_t>(saved.counters[r + 3]);
  std::vector<Configuration> all;
  for (std::size_t first = 0; first < saved.configurations.size(); first += numbers)
    all.emplace_back(&saved.configurations[first], &saved.configurations[first] + numbers);
  configuration_ = all.at(0);
  replicas_.assign(all.begin() + 1, all.end());
}

Trajectory direct_trajectory(const SegmentSystem& system, const Configuration& first,
                             Index goal_steps, std::uint64_t seed) {
  DirectDynamics dynamics(system, first, seed);
  dynamics.advance(goal_steps);
  return dynamics.trajectory();
}

Trajectory parallel_replica_trajectory(const SegmentSystem& system, const Configuration& first,
                                       Index goal_steps, const ParallelReplicaRule& rule) {
  ParallelReplicas dynamics(system, first, rule);
  while (dynamics.trajectory().steps() < goal_steps) dynamics.advance();
  return dynamics.trajectory();
}

}  // namespace larmor::parsplice
