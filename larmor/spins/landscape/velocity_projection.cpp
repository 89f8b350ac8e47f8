#include "larmor/spins/landscape/velocity_projection.hpp"

#include <cmath>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {
NextDirection VelocityProjection::restart(double square, double stiffness) {
  timestep_ = 1 / std::sqrt(stiffness);
  return down_the_gradient(timestep_, square);
}

NextDirection VelocityProjection::next(const AcceptedStep& turn) {
  const StepProducts& products = turn.products;
  // If the turn was limited, its length gives the true speed.
  const double speed = turn.length / timestep_;
  const double along = -products.slope * speed;
  const double kept = along > 0 && products.square > 0 ? along / products.square : 0;
  timestep_ = 1 / std::sqrt(turn.stiffness);
  return down_the_gradient(kept + timestep_, products.square);
}

void VelocityProjection::save(std::vector<double>& out) const { save_numbers(out, {timestep_}); }

void VelocityProjection::load(std::span<const double>& saved) { timestep_ = take_number(saved); }

}  // namespace larmor::spins
