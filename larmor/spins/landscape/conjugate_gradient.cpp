#include "larmor/spins/landscape/conjugate_gradient.hpp"

#include <algorithm>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {

NextDirection ConjugateGradient::restart(double square, double stiffness) {
  stiffness_ = stiffness;
  return down_the_gradient(1, square);
}

NextDirection ConjugateGradient::next(const AcceptedStep& turn) {
  const StepProducts& products = turn.products;
  const double seen = (products.slope - turn.old_slope) / (turn.length * products.direction_square);
  // If the energy curves downwards, the next step may be longer than the last one.
  stiffness_ = seen > 1e-6 * stiffness_ ? seen : 0.5 * stiffness_;
  const double beta = std::max(0.0, products.along_change / turn.old_square);
  NextDirection next;
  next.of_gradient = -1;
  next.of_direction = beta;
  next.slope = -products.square + beta * products.slope;
  next.square =
      products.square - 2 * beta * products.slope + beta * beta * products.direction_square;
  return next;
}

void ConjugateGradient::save(std::vector<double>& out) const { save_numbers(out, {stiffness_}); }

void ConjugateGradient::load(std::span<const double>& saved) { stiffness_ = take_number(saved); }

}  // namespace larmor::spins
