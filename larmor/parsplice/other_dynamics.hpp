#pragma once
// Trajectories by other methods, to compare with spliced ones: direct dynamics, and parallel
// replicas.
//
// Parallel replicas: dynamics go on until they stayed in a state for tau_c. Then R replicas are
// dephased in this state, and run in parallel until one of them leaves. With R replicas, the
// waiting time is R times as short. If replica r (from 0) is the first to leave, in step n, the
// trajectory stayed for R (n - 1) + r + 1 steps in all. This number has the geometric distribution
// of one replica.
//
// Sources: A. F. Voter, Phys. Rev. B 57, R13985 (1998); C. Le Bris, T. Lelievre, M. Luskin and D.
// Perez, Monte Carlo Methods Appl. 18, 119 (2012); D. Aristoff, T. Lelievre and G. Simpson, Appl.
// Math. Res. Express 2014, 332 (2014) for discrete time.

#include <functional>
#include <map>

#include "larmor/parsplice/trajectory.hpp"

namespace larmor::parsplice {

/// The references of states of a trajectory.
using References = std::map<StateLabel, Configuration>;

/// All numbers of a trajectory that can be continued.
struct SavedDynamics {
  std::vector<double> configurations;
  std::vector<Index> counters;
  std::vector<Stay> stays;
  References references;
};

class DirectDynamics {
 public:
  /// @param correlation_steps steps after which a state gets its reference
  DirectDynamics(const SegmentSystem& system, const Configuration& first, std::uint64_t seed,
                 Index correlation_steps = 0);

  /// Continues by `steps` steps.
  void advance(Index steps);
  const Trajectory& trajectory() const { return trajectory_; }
  const References& references() const { return references_; }
  /// Steps of the system.
  Index work() const { return trajectory_.steps(); }

  SavedDynamics save() const;
  void load(const SavedDynamics& saved);

 private:
  const SegmentSystem& system_;
  Index correlation_steps_;
  Configuration configuration_;
  Trajectory trajectory_;
  References references_;
  RandomKey key_;
};

struct ParallelReplicaRule {
  std::uint64_t seed;
  Index replicas;
  Index correlation_steps;  ///< tau_c in steps, at least 1
};

class ParallelReplicas {
 public:
  /// @param threads those that replicas share; no bit depends on this number
  /// @throws InputError for numbers below 1
  ParallelReplicas(const SegmentSystem& system, const Configuration& first,
                   const ParallelReplicaRule& rule, int threads = 1);

  /// Makes one part of the way: steps until the trajectory is settled, or dephased replicas, or
  /// steps of all replicas.
  void advance();
  const Trajectory& trajectory() const { return trajectory_; }
  const References& references() const { return references_; }
  /// Steps of all replicas with those of dephasing.
  Index work() const { return work_; }
  /// Time that all threads have spent on replicas.
  double busy_seconds() const { return busy_seconds_; }

  SavedDynamics save() const;
  void load(const SavedDynamics& saved);

 private:
  void settle();
  void dephase();
  void run_replicas();
  /// Calls work(r) for each replica, on several threads. Rethrows the first error.
  void for_each_replica(const std::function<void(std::size_t)>& work);

  const SegmentSystem& system_;
  ParallelReplicaRule rule_;
  int threads_;
  Configuration configuration_;
  Trajectory trajectory_;
  References references_;
  Index stayed_ = 0;                     ///< steps in a row in the present state
  std::vector<Configuration> replicas_;  ///< empty while the trajectory settles
  Index passed_ = 0;                     ///< steps of each replica since it was dephased
  std::vector<RandomKey> keys_;          ///< the last one is of the steps until settled
  Index work_ = 0;
  double busy_seconds_ = 0;
};

Trajectory direct_trajectory(const SegmentSystem& system, const Configuration& first,
                             Index goal_steps, std::uint64_t seed);

/// @throws InputError for numbers below 1
Trajectory parallel_replica_trajectory(const SegmentSystem& system, const Configuration& first,
                                       Index goal_steps, const ParallelReplicaRule& rule);

}  // namespace larmor::parsplice
