#include "larmor/spins/landscape/damped.hpp"

#include <algorithm>

#include "larmor/core/saved_numbers.hpp"

namespace larmor::spins {
namespace {

constexpr double growth = 1.2;

}  // namespace

void Damped::restart(const SiteVectors& gradient, double stiffness, SiteVectors& p, int threads) {
  timestep_ = 0.5 / stiffness;
  std::fill(p.begin(), p.end(), 0.0);
  add_scaled(-1, gradient, p, threads);
}

void Damped::next(const AcceptedStep& step, SiteVectors& p) {
  timestep_ = growth * step.length;
  std::fill(p.begin(), p.end(), 0.0);
  add_scaled(-1, step.gradient, p, step.threads);
}

void Damped::save(std::vector<double>& out) const { save_numbers(out, {timestep_}); }

void Damped::load(std::span<const double>& saved) { timestep_ = take_number(saved); }

}  // namespace larmor::spins
