#include "larmor/atoms/minimisers/fire.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
namespace {

constexpr double first_timestep = 0.1, shortest_timestep = 0.02 * first_timestep,
                 longest_timestep = 10 * first_timestep;
constexpr double growth = 1.1, shrinkage = 0.5;
constexpr double first_mixing = 0.25, decay_of_mixing = 0.99;
/// Number of successive downhill steps before the timestep grows. During this number of steps after
/// the start, the timestep does not shrink.
constexpr double delay = 20;

}  // namespace

Fire::Fire(const AtomLayout& layout, const MinimiserSettings& settings, int threads)
    : Minimiser(layout, settings, threads), velocity_(layout), step_controls_(replicas()) {}

void Fire::restart(const ReplicaSet& chosen) {
  const std::vector<double> zero(replicas(), 0.0);
  combine(layout_, chosen, zero, force_, zero, force_, velocity_, threads_);
  for (std::size_t r = 0; r < replicas(); ++r)
    if (chosen[r] != 0) step_controls_[r] = {first_timestep, first_mixing, 0, 0};
}

void Fire::adjust(StepControl& control, bool is_downhill) const {
  if (is_downhill) {
    ++control.downhill;
    if (control.downhill > delay) {
      control.timestep = std::min(growth * control.timestep, longest_timestep);
      control.mixing *= decay_of_mixing;
    }
  } else {
    control.downhill = 0;
    if (control.steps >= delay)
      control.timestep = std::max(shrinkage * control.timestep, shortest_timestep);
    control.mixing = first_mixing;
  }
  ++control.steps;
}

void Fire::propose(const ReplicaSet& running) {
  const std::vector<double> power = inner_products(layout_, force_, velocity_, threads_);
  const std::vector<double> one(replicas(), 1.0);
  std::vector<double> kept(replicas()), back(replicas()), timestep(replicas());
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (running[r] == 0) continue;
    const bool is_downhill = power[r] > 0;
    adjust(step_controls_[r], is_downhill);
    timestep[r] = step_controls_[r].timestep;
    kept[r] = is_downhill ? 1 : 0;
    back[r] = is_downhill ? 0 : -0.5 * timestep[r];
  }
  combine(layout_, running, one, x_, back, velocity_, trial_, threads_);
  combine(layout_, running, kept, velocity_, timestep, force_, velocity_, threads_);

  const std::vector<double> v2 = inner_products(layout_, velocity_, velocity_, threads_);
  const std::vector<double> F2 = inner_products(layout_, force_, force_, threads_);
  std::vector<double> turned(replicas());
  for (std::size_t r = 0; r < replicas(); ++r) {
    const double mixing = kept[r] > 0 ? step_controls_[r].mixing : 0;
    kept[r] = 1 - mixing;
    turned[r] = mixing > 0 ? mixing * std::sqrt(v2[r] / F2[r]) : 0;
  }
  combine(layout_, running, kept, velocity_, turned, force_, velocity_, threads_);

  const std::vector<double> longest =
      coordinates_.longest_steps(layout_, velocity_, settings_.max_step);
  for (std::size_t r = 0; r < replicas(); ++r) timestep[r] = std::min(timestep[r], longest[r]);
  combine(layout_, running, one, trial_, timestep, velocity_, trial_, threads_);
}

ReplicaSet Fire::accept_trials(const ReplicaSet& running, std::span<const double> enthalpy) {
  const std::vector<double> square = inner_products(layout_, trial_force_, trial_force_, threads_);
  for (std::size_t r = 0; r < replicas(); ++r)
    if (running[r] != 0 && !(std::isfinite(enthalpy[r]) && std::isfinite(square[r])))
      throw UnphysicalError(
          "the energy or a force of replica " +
          std::to_string(layout_.first_replica() + static_cast<std::uint64_t>(r)) +
          " is not finite; try a shorter largest step");
  return running;
}

bool Fire::may_stop_by_energy(std::size_t replica) const {
  return step_controls_[replica].downhill > delay;
}

void Fire::save_memory(std::vector<double>& out, std::size_t replica) const {
  const StepControl& control = step_controls_[replica];
  atoms::save(out, layout_, static_cast<Index>(replica), velocity_);
  save_numbers(out, {control.timestep, control.mixing, control.steps, control.downhill});
}

void Fire::load_memory(std::span<const double>& saved, std::size_t replica) {
  StepControl& control = step_controls_[replica];
  atoms::load(saved, layout_, static_cast<Index>(replica), velocity_);
  for (double* number : {&control.timestep, &control.mixing, &control.steps, &control.downhill})
    *number = take_number(saved);
}

}  // namespace larmor::atoms
