#include "larmor/atoms/integrators/integrator.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/atoms/integrators/motion.hpp"
#include "larmor/atoms/system/loops.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

struct Integrator::Snapshot {
  AtomArray<Vec3<double>> position, velocity, force;
  AtomArray<Box> box;
  AtomArray<double> energy;
  AtomArray<SymmetricTensor> virial;
  std::uint64_t step = 0;

  void copy_from(const AtomState& state) {
    position = state.position;
    velocity = state.velocity;
    force = state.force;
    box = state.box;
    energy = state.energy;
    virial = state.virial;
    step = state.step;
  }
  void copy_to(AtomState& state) const {
    state.position = position;
    state.velocity = velocity;
    state.force = force;
    state.box = box;
    state.energy = energy;
    state.virial = virial;
    state.step = step;
  }
};

Integrator::Integrator(double timestep, int threads) : timestep_(timestep), threads_(threads) {
  if (!(timestep > 0) || !std::isfinite(timestep))
    throw InputError("the timestep is " + number_text(timestep) + " ps", "give a positive time");
}

Integrator::~Integrator() = default;

void Integrator::start(AtomState& state, ForceField& field) {
  require(state);
  for (IntegratorState* integrator_state : integrator_states_)
    integrator_state->move_to(state.device);
  state.faults.clear(state.step);
  do {
    field.evaluate(state);
    for_each_atom(state, threads_, RequireFinite{state.view()});
    throw_fault_of_cpu(state);
  } while (!field.complete_steps(state));
}

void Integrator::run(AtomState& state, ForceField& field, Index steps) {
  // Number of steps that a GPU makes between two tests for faults. After a fault, the GPU finishes
  // these steps.
  constexpr Index most_of_block = 256;
  for (Index done = 0; done < steps; done += most_of_block)
    run_block(state, field, std::min(most_of_block, steps - done));
}

void Integrator::run_block(AtomState& state, ForceField& field, Index steps) {
  const bool is_launched = state.device.backend != Backend::cpu;
  state.faults.clear(state.step);
  if (is_launched) {
    if (!snapshot_) snapshot_ = std::make_unique<Snapshot>();
    snapshot_->copy_from(state);
    for (IntegratorState* integrator_state : integrator_states_) integrator_state->take_snapshot();
  }
  for (;;) {
    for (Index n = 0; n < steps; ++n) {
      step(state, field);
      ++state.step;
    }
    if (!is_launched || field.complete_steps(state)) return;
    snapshot_->copy_to(state);
    for (IntegratorState* integrator_state : integrator_states_)
      integrator_state->restore_snapshot();
    state.faults.clear(state.step);
  }
}

std::vector<double> Integrator::save() const {
  std::vector<double> out;
  std::vector<std::vector<double>> numbers;
  for (const IntegratorState* integrator_state : integrator_states_)
    numbers.push_back(integrator_state->numbers());
  const std::size_t replicas =
      integrator_states_.empty() ? 0 : integrator_states_.front()->replicas();
  for (std::size_t replica = 0; replica < replicas; ++replica)
    for (std::size_t k = 0; k < integrator_states_.size(); ++k) {
      const std::size_t count = integrator_states_[k]->numbers_of_replica();
      const std::span<const double> own = std::span(numbers[k]).subspan(replica * count, count);
      out.insert(out.end(), own.begin(), own.end());
    }
  return out;
}

void Integrator::load(std::span<const double> saved) {
  std::vector<std::vector<double>> numbers(integrator_states_.size());
  const std::size_t replicas =
      integrator_states_.empty() ? 0 : integrator_states_.front()->replicas();
  for (std::size_t replica = 0; replica < replicas; ++replica)
    for (std::size_t k = 0; k < integrator_states_.size(); ++k) {
      const std::span<const double> own = saved.first(integrator_states_[k]->numbers_of_replica());
      numbers[k].insert(numbers[k].end(), own.begin(), own.end());
      saved = saved.subspan(own.size());
    }
  for (std::size_t k = 0; k < integrator_states_.size(); ++k)
    integrator_states_[k]->set_numbers(numbers[k]);
}

void Integrator::kick(AtomState& state, double time) const {
  for_each_atom(state, threads_, Kick{state.view(), time});
  throw_fault_of_cpu(state);
}

void Integrator::kick_and_drift(AtomState& state, double kick_time, double drift_time) const {
  const Drift drift{state.position.data(), state.velocity.data(), drift_time};
  for_each_atom(state, threads_, KickAndDrift{{state.view(), kick_time}, drift});
  throw_fault_of_cpu(state);
}

void Integrator::drift(AtomState& state, double time) const {
  for_each_atom(state, threads_, Drift{state.position.data(), state.velocity.data(), time});
}

void Integrator::throw_fault_of_cpu(AtomState& state) {
  if (state.device.backend == Backend::cpu) throw_fault(state);
}

std::vector<double> Integrator::energies(const AtomState& state) const {
  std::vector<double> energies = kinetic_energies(state, threads_);
  const std::vector<double> potential = state.energy.to_host();
  for (std::size_t r = 0; r < energies.size(); ++r) energies[r] += potential[r];
  return energies;
}

void require_rest(const AtomState& state, int threads) {
  // Rounding errors give the centre of mass about 1e-30 of the kinetic energy.
  constexpr double most_of_kinetic_energy = 1e-12;
  const std::vector<TotalMotion> motions = total_motions(state, threads);
  const std::vector<double> kinetic = kinetic_energies(state, threads);
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    if (state.layout.atoms_of(replica) < 2)
      throw InputError(
          replica_text(state, replica) + " has a single atom, which has no temperature",
          "thermostats and barostats need two atoms or more");
    if (motions[r].kinetic_energy() > most_of_kinetic_energy * kinetic[r])
      throw InputError("the centre of mass of " + replica_text(state, replica) + " moves",
                       "thermostats and barostats need a centre of mass at rest");
  }
}

}  // namespace larmor::atoms
