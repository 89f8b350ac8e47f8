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

#include "larmor/parsplice/trajectory.hpp"

namespace larmor::parsplice {

Trajectory direct_trajectory(const SegmentSystem& system, const Configuration& first,
                             Index goal_steps, std::uint64_t seed);

struct ParallelReplicaRule {
  std::uint64_t seed;
  Index replicas;
  Index correlation_steps;  ///< tau_c in steps, at least 1
};

/// @throws InputError for numbers below 1
Trajectory parallel_replica_trajectory(const SegmentSystem& system, const Configuration& first,
                                       Index goal_steps, const ParallelReplicaRule& rule);

}  // namespace larmor::parsplice
