#pragma once
// Overdamped dynamics de/dt = - e x (e x h), with a step that grows while the energy falls. The
// dynamics follows the gradient slowly to the nearest minimum.

#include "larmor/spins/landscape/direction.hpp"

namespace larmor::spins {

class Damped : public Direction {
 public:
  NextDirection restart(double square, double stiffness) override;
  NextDirection next(const AcceptedStep& turn) override;
  double first_length(const NextDirection&) const override { return timestep_; }
  void save(std::vector<double>& out) const override;
  void load(std::span<const double>& saved) override;

 private:
  double timestep_ = 0;
};

}  // namespace larmor::spins
