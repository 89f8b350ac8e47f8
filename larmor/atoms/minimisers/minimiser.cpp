#include "larmor/atoms/minimisers/minimiser.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/error.hpp"
#include "larmor/core/saved_numbers.hpp"

namespace larmor::atoms {
Minimiser::Minimiser(const AtomLayout& layout, const MinimiserSettings& settings, int threads)
    : layout_(layout),
      settings_(settings),
      threads_(threads),
      coordinates_(layout, settings.box, threads),
      x_(layout),
      force_(layout),
      trial_(layout),
      trial_force_(layout),
      enthalpy_(static_cast<std::size_t>(layout.replicas())),
      stalled_(enthalpy_.size()),
      largest_force_(enthalpy_.size()),
      pressure_excess_(enthalpy_.size()),
      converged_(enthalpy_.size()) {
  if (!(settings.tolerance > 0))
    throw InputError("the tolerance of the forces is " + number_text(settings.tolerance),
                     "give a positive number");
  if (!(settings.energy_tolerance >= 0))
    throw InputError("the tolerance of the energy is " + number_text(settings.energy_tolerance),
                     "give 0 or more");
  if (!(settings.max_step > 0))
    throw InputError("the largest step is " + number_text(settings.max_step) + " Angstrom",
                     "give a positive length");
}

void Minimiser::start(AtomState& state, ForceField& field) {
  coordinates_.start(state, x_);
  field.evaluate(state);
  coordinates_.forces(state, x_, force_);
  const std::vector<double> enthalpy = coordinates_.enthalpies(state);
  for (std::size_t r = 0; r < replicas(); ++r)
    if (!std::isfinite(enthalpy[r]))
      throw UnphysicalError(
          "the energy of replica " +
          std::to_string(state.layout.first_replica() + static_cast<std::uint64_t>(r)) +
          " is not finite at the start of the minimisation");
  std::fill(stalled_.begin(), stalled_.end(), char{0});
  const ReplicaSet all(replicas(), 1);
  measure(state, all, enthalpy);
  restart(all);
}

Index Minimiser::run(AtomState& state, ForceField& field, Index iterations) {
  Index made = 0;
  bool has_left = false;  // Does the state differ from the accepted coordinates?
  for (; made < iterations && !done(); ++made) {
    const ReplicaSet active = running();
    // Replicas that have finished stay in place.
    assign(layout_, ReplicaSet(replicas(), 1), x_, trial_, threads_);
    propose(active);
    coordinates_.place(trial_, state);
    field.evaluate(state);
    ++state.step;
    coordinates_.forces(state, trial_, trial_force_);
    const std::vector<double> enthalpy = coordinates_.enthalpies(state);
    const ReplicaSet accepted = accept_trials(active, enthalpy);
    assign(layout_, accepted, trial_, x_, threads_);
    assign(layout_, accepted, trial_force_, force_, threads_);
    const std::vector<double> before = enthalpy_;
    measure(state, accepted, enthalpy);
    ReplicaSet next(replicas());
    for (std::size_t r = 0; r < replicas(); ++r) {
      const double change = std::abs(enthalpy_[r] - before[r]) /
                            static_cast<double>(layout_.atoms_of(static_cast<Index>(r)));
      if (accepted[r] != 0 && may_stop_by_energy(r) && change < settings_.energy_tolerance)
        converged_[r] = 1;
      next[r] = accepted[r] != 0 && converged_[r] == 0 ? 1 : 0;
    }
    advance(next);
    has_left = accepted != active;
  }
  if (has_left) {
    coordinates_.place(x_, state);
    field.evaluate(state);
  }
  return made;
}

ReplicaSet Minimiser::running() const {
  ReplicaSet running(replicas());
  for (std::size_t r = 0; r < replicas(); ++r)
    running[r] = stalled_[r] == 0 && converged_[r] == 0 ? 1 : 0;
  return running;
}

void Minimiser::measure(const AtomState& state, const ReplicaSet& chosen,
                        std::span<const double> enthalpy) {
  const std::vector<double> force = coordinates_.largest_forces(state);
  const std::vector<double> excess = coordinates_.pressure_excesses(state);
  for (std::size_t r = 0; r < replicas(); ++r) {
    if (chosen[r] == 0) continue;
    enthalpy_[r] = enthalpy[r];
    largest_force_[r] = force[r];
    pressure_excess_[r] = excess[r];
    converged_[r] =
        force[r] <= settings_.tolerance && coordinates_.has_target_pressure(excess[r]) ? 1 : 0;
  }
}

bool Minimiser::done() const {
  const ReplicaSet active = running();
  return std::all_of(active.begin(), active.end(), [](char runs) { return runs == 0; });
}

Index Minimiser::converged() const { return std::count(converged_.begin(), converged_.end(), 1); }

double minimiser_bytes(Index atoms, int history) {
  // Four vectors are the coordinates and forces of the accepted state and of the trial. FIRE and
  // L-BFGS have three vectors more. L-BFGS also has two for each pair.
  const int vectors = 4 + 3 + 2 * history;
  return 24.0 * vectors * static_cast<double>(atoms);
}

std::vector<double> Minimiser::save() const {
  std::vector<double> out;
  for (std::size_t r = 0; r < replicas(); ++r) {
    const std::vector<double> own = save(r);
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

std::vector<double> Minimiser::save(std::size_t r) const {
  std::vector<double> out;
  coordinates_.save(out, r);
  atoms::save(out, layout_, static_cast<Index>(r), x_);
  atoms::save(out, layout_, static_cast<Index>(r), force_);
  save_numbers(out, {enthalpy_[r], largest_force_[r], pressure_excess_[r],
                     static_cast<double>(stalled_[r]), static_cast<double>(converged_[r])});
  save_memory(out, r);
  return out;
}

void Minimiser::load(std::span<const double> saved) {
  for (std::size_t r = 0; r < replicas(); ++r) {
    coordinates_.load(saved, r);
    atoms::load(saved, layout_, static_cast<Index>(r), x_);
    atoms::load(saved, layout_, static_cast<Index>(r), force_);
    for (double* number : {&enthalpy_[r], &largest_force_[r], &pressure_excess_[r]})
      *number = take_number(saved);
    stalled_[r] = static_cast<char>(take_number(saved));
    converged_[r] = static_cast<char>(take_number(saved));
    load_memory(saved, r);
  }
}

}  // namespace larmor::atoms
