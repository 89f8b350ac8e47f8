#pragma once
// Nonlinear conjugate gradients on spheres: p = -g + beta p', beta = max(0, g.(g - g') / g'.g')
// (Polak and Ribiere, restarting). Here p is the direction and g the gradient. Primed vectors
// belong to the last step and are transported to the current spins.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class ConjugateGradient : public Direction {
 public:
  NextDirection restart(double square, double stiffness) override;
  NextDirection next(const AcceptedStep& turn) override;
  /// The length to the minimum of a parabola with the curvature of the last step.
  double first_length(const NextDirection& direction) const override {
    return -direction.slope / (stiffness_ * direction.square);
  }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  double stiffness_ = 1;  ///< second derivative along the last direction
};

}  // namespace larmor::spins
