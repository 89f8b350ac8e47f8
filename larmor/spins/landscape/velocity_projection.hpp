#pragma once
// Damped dynamics of one image of a path (Jonsson, Mills, Jacobsen, in Classical and Quantum
// Dynamics in Condensed Phase Simulations, 1998, p. 385). Only the component of the velocity v
// along the force f is kept, v = (v.f) f / f.f. If v.f < 0, the velocity becomes zero.
//
// Every image has its own velocity. The forces of a band are not a gradient, so images with a
// common velocity could gain energy without limit.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class VelocityProjection : public Direction {
 public:
  /// Here the direction is the velocity, and the length of a turn is the time step.
  NextDirection restart(double square, double stiffness) override;
  NextDirection next(const AcceptedStep& turn) override;
  double first_length(const NextDirection&) const override { return timestep_; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  double timestep_ = 0;
};

}  // namespace larmor::spins
