#include "larmor/spins/landscape/neb_optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/saved_numbers.hpp"
#include "larmor/spins/landscape/lbfgs.hpp"
#include "larmor/spins/landscape/neb_policy.hpp"
#include "larmor/spins/landscape/velocity_projection.hpp"

namespace larmor::spins {

void NebOptimiser::use(NebMethod method) {
  method_ = method;
  motion_.clear();
  if (method == NebMethod::lbfgs) {
    motion_.emplace_back().direction = std::make_unique<Lbfgs>();
  } else {
    for (std::size_t i = 0; i < images_; ++i)
      motion_.emplace_back().direction = std::make_unique<VelocityProjection>();
  }
}

void NebOptimiser::restart() {
  for (Motion& motion : motion_) motion.restarts = true;
}

double NebOptimiser::of_gradient(std::size_t image) const {
  const Motion& motion = motion_[image];
  return motion.square > 0 ? motion.slope / motion.square : 0;
}

NebOptimiser::Step NebOptimiser::next(Motion& motion, const StepProducts& products,
                                      double curvature, int place) {
  Step step;
  if (!motion.restarts) {
    step.last_length = motion.length;
    step.direction = motion.direction->next(
        {motion.length, motion.slope, motion.square, place, products, curvature});
    step.reflects = step.direction.reflects;
  }
  const double steepest = std::sqrt(products.square * step.direction.square);
  if (motion.restarts || !(step.direction.slope < -neb::min_descent_cosine * steepest))
    step.direction = motion.direction->restart(products.square, curvature);
  motion.restarts = false;
  motion.slope = step.direction.slope;
  motion.square = products.square;
  step.length = motion.direction->first_length(step.direction);
  return step;
}

double NebOptimiser::next_turn(std::size_t image, const StepProducts& products, double curvature,
                               double force) {
  Motion& motion = motion_[image];
  const Step step = next(motion, products, curvature, 0);
  const double of_gradient = step.direction.of_gradient;
  const double longest = force * std::abs(of_gradient);
  motion.length = step.length;
  if (longest > 0) motion.length = std::min(motion.length, max_rotation_ / longest);
  return motion.length * of_gradient;
}

NebOptimiser::Step NebOptimiser::next_step(const StepProducts& products, double curvature,
                                           int place) {
  // GeodesicNeb stores the complete turn as the direction, so the length becomes 1.
  const Step step = next(motion_[0], products, curvature, place);
  motion_[0].length = 1;
  return step;
}

void NebOptimiser::save(std::vector<double>& out) const {
  for (const Motion& motion : motion_) {
    save_numbers(out, {motion.slope, motion.square, motion.length, motion.restarts ? 1.0 : 0.0});
    motion.direction->save(out);
  }
}

void NebOptimiser::load(std::span<const double>& saved) {
  for (Motion& motion : motion_) {
    for (double* number : {&motion.slope, &motion.square, &motion.length})
      *number = take_number(saved);
    motion.restarts = take_number(saved) != 0;
    motion.direction->load(saved);
  }
}

}  // namespace larmor::spins
