#pragma once
// Exits from states, and their rates, of a trajectory.
//
// A trajectory is settled in a state as soon as it stayed there for tau_c. Its configuration is
// then a sample of the quasi-stationary distribution, from which the waiting time until the exit is
// exponential (geometric, in steps). It is independent of the state in which the trajectory settles
// next, which may be the one that it left. With n exits in the time T that a state was settled, the
// rate is n / T, with the error of n counts, (n / T) / sqrt(n).
//
// Source: C. Le Bris, T. Lelievre, M. Luskin and D. Perez, Monte Carlo Methods Appl. 18, 119
// (2012), propositions 3 and 4.

#include <map>
#include <vector>

#include "larmor/parsplice/trajectory.hpp"

namespace larmor::parsplice {

struct Rate {
  double value;  ///< per unit of time; NaN if there were no exits
  double error;  ///< one standard deviation
};

struct StateExits {
  Index exits = 0;
  Index steps = 0;                     ///< in this state, after it was settled
  std::map<StateLabel, Index> next{};  ///< numbers of exits by the state that is settled next

  /// @param step duration of a step
  Rate rate(double step) const;
  Rate rate_to(StateLabel state, double step) const;
};

/// The exits of each state that was settled. An exit counts, with the time before it, only if some
/// state is settled later. The time since the last exit counts too.
std::map<StateLabel, StateExits> exits_of(const Trajectory& trajectory, Index correlation_steps);

/// Times in a state from settled until exit, in steps. Each time ends at a random moment within
/// its last step, so times are exponential and not geometric.
std::vector<double> waiting_times(const Trajectory& trajectory, Index correlation_steps,
                                  StateLabel state, std::uint64_t seed);

/// The part of all steps that lie in a state.
double share_of(const Trajectory& trajectory, StateLabel state);

/// The probability that the trajectory is in a state at a time and again `lag` steps later.
/// @throws InternalError if the trajectory has no more steps than the lag
double joint_share(const Trajectory& trajectory, StateLabel state, Index lag);

}  // namespace larmor::parsplice
