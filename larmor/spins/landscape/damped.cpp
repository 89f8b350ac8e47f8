#include "larmor/spins/landscape/damped.hpp"

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {
namespace {

constexpr double growth = 1.2;

}  // namespace

NextDirection Damped::restart(double square, double stiffness) {
  timestep_ = 0.5 / stiffness;
  return down_the_gradient(1, square);
}

NextDirection Damped::next(const AcceptedStep& turn) {
  timestep_ = growth * turn.length;
  return down_the_gradient(1, turn.products.square);
}

void Damped::save(std::vector<double>& out) const { save_numbers(out, {timestep_}); }

void Damped::load(std::span<const double>& saved) { timestep_ = take_number(saved); }

}  // namespace larmor::spins
