#include "larmor/spins/landscape/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {

void ConjugateGradient::restart(const SiteVectors& gradient, double stiffness, SiteVectors& p,
                                int threads) {
  stiffness_ = stiffness;
  std::fill(p.begin(), p.end(), 0.0);
  add_scaled(-1, gradient, p, threads);
}

void ConjugateGradient::next(const AcceptedStep& step, SiteVectors& p) {
  const double square = inner_product(step.direction, step.direction, step.threads);
  const double seen = (step.new_slope - step.old_slope) / (step.length * square);
  // Curved down, the next step may be longer than this one was.
  stiffness_ = seen > 1e-6 * stiffness_ ? seen : 0.5 * stiffness_;
  const double old_square = inner_product(step.old_gradient, step.old_gradient, step.threads);
  const double beta =
      std::max(0.0, (inner_product(step.gradient, step.gradient, step.threads) -
                     inner_product(step.gradient, step.old_gradient, step.threads)) /
                        old_square);
  p = step.direction;
  for (double& x : p) x *= beta;
  add_scaled(-1, step.gradient, p, step.threads);
}

void ConjugateGradient::save(std::vector<double>& out) const { save_numbers(out, {stiffness_}); }

void ConjugateGradient::load(std::span<const double>& saved) { stiffness_ = take_number(saved); }

}  // namespace larmor::spins
