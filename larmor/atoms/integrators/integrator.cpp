#include "larmor/atoms/integrators/integrator.hpp"

#include <cmath>
#include <string>

#include "larmor/atoms/integrators/motion.hpp"
#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

std::string name_of(const AtomState& state, Index replica) {
  return "replica " +
         std::to_string(state.layout.first_replica() + static_cast<std::uint64_t>(replica));
}

void require_finite(const AtomState& state, Index replica) {
  bool finite = std::isfinite(state.energy[static_cast<std::size_t>(replica)]);
  for (Index i = state.layout.first(replica); finite && i < state.layout.first(replica + 1); ++i) {
    const Vec3<double>& F = state.force[static_cast<std::size_t>(i)];
    finite = std::isfinite(F.x) && std::isfinite(F.y) && std::isfinite(F.z);
  }
  if (!finite)
    throw UnphysicalError(
        "the energy or a force of " + name_of(state, replica) + " is not finite at step " +
        std::to_string(static_cast<std::uint64_t>(state.step)) + "; try a shorter timestep");
}

}  // namespace

Integrator::Integrator(double timestep, int threads) : timestep_(timestep), threads_(threads) {
  if (!(timestep > 0) || !std::isfinite(timestep))
    throw InputError("the timestep is " + number_text(timestep) + " ps",
                     "a timestep is a positive time");
}

void Integrator::start(AtomState& state, ForceField& field) {
  require(state);
  evaluate(state, field);
}

void Integrator::run(AtomState& state, ForceField& field, Index steps) {
  for (Index n = 0; n < steps; ++n) {
    step(state, field);
    ++state.step;
  }
}

void Integrator::kick(AtomState& state, double time) const {
  for_each_atom(state.layout, threads_, [&](Index, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    state.velocity[i] = kicked(state.velocity[i], state.force[i], state.mass(atom), time);
  });
}

void Integrator::drift(AtomState& state, double time) const {
  for_each_atom(state.layout, threads_, [&](Index, Index atom) {
    const auto i = static_cast<std::size_t>(atom);
    state.position[i] = drifted(state.position[i], state.velocity[i], time);
  });
}

void Integrator::evaluate(AtomState& state, ForceField& field) {
  field.evaluate(state);
  for (Index replica = 0; replica < state.layout.replicas(); ++replica)
    require_finite(state, replica);
}

std::vector<double> Integrator::energies(const AtomState& state) const {
  std::vector<double> energies = kinetic_energies(state, threads_);
  for (std::size_t r = 0; r < energies.size(); ++r) energies[r] += state.energy[r];
  return energies;
}

void require_rest(const AtomState& state, int threads) {
  // Of rounding alone the centre of mass has 1e-30 of the kinetic energy.
  constexpr double most_of_kinetic_energy = 1e-12;
  const std::vector<TotalMotion> motions = total_motions(state, threads);
  const std::vector<double> kinetic = kinetic_energies(state, threads);
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    if (state.layout.atoms_of(replica) < 2)
      throw InputError(name_of(state, replica) + " has a single atom, which has no temperature",
                       "thermostats and barostats need two atoms or more");
    if (motions[r].kinetic_energy() > most_of_kinetic_energy * kinetic[r])
      throw InputError("the centre of mass of " + name_of(state, replica) + " moves",
                       "thermostats and barostats need it at rest");
  }
}

}  // namespace larmor::atoms
