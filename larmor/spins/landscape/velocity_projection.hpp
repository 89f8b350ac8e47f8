#pragma once
// Damped dynamics of one image of a path (Jonsson, Mills, Jacobsen, in Classical and Quantum
// Dynamics in Condensed Phase Simulations, 1998, p. 385). Only the velocity component along the
// force is kept, v = (v.f) f / f.f, or zero if velocity and force are opposite.
//
// Every image has its own velocity. The forces of a band are not a gradient, so images with a
// common velocity could gain energy without limit.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class VelocityProjection : public Direction {
 public:
  /// The direction is the velocity, the length of a turn is the time step.
  NextDirection restart(double square, double stiffness) override;
  NextDirection next(const AcceptedStep& turn) override;
  double first_length(const NextDirection&) const override { return timestep_; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  double timestep_ = 0;
};

}  // namespace larmor::spins
