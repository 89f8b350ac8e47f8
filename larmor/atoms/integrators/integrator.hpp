#pragma once
// The interface of integrators: molecular dynamics of all replicas.
//
// Thermostats and barostats count 3 N - 3 degrees of freedom: the centre of mass of every replica
// must be at rest. `set_velocities` ensures this.

#include <memory>
#include <span>
#include <vector>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/integrators/integrator_state.hpp"

namespace larmor::atoms {

class Integrator {
 public:
  /// @param timestep ps
  /// @throws InputError for a timestep that is not positive
  Integrator(double timestep, int threads);
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator();

  /// Evaluates the forces of the state. Callers call it before `run`, and again after other code
  /// has changed the state.
  /// @throws InputError for a state that this integrator does not support
  void start(AtomState& state, ForceField& field);

  /// Makes `steps` steps. On a GPU, the host launches up to 256 steps, and then waits and tests for
  /// faults.
  /// @throws UnphysicalError if a force or an energy is not finite, and the errors of the force
  /// field. After an error the state must not be used
  void run(AtomState& state, ForceField& field, Index steps);

  /// A conserved quantity of every replica, eV [replicas]. Its drift shows the error of the
  /// timestep. The quantity is conserved only for constant targets: a ramp changes it.
  virtual std::vector<double> conserved(const AtomState& state) const = 0;

  /// All numbers that steps need in addition to the state, replica by replica. All replicas have
  /// equally many numbers. FORMAT: in checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 protected:
  virtual void require(const AtomState&) const {}
  virtual void step(AtomState& state, ForceField& field) = 0;

  double timestep() const { return timestep_; }
  int threads() const { return threads_; }

  /// Registers `numbers`, a member of a derived class. For each replica, `save` writes them after
  /// the numbers that were registered before.
  void add_state(IntegratorState& numbers) { integrator_states_.push_back(&numbers); }

  /// v += F / m * time, for all atoms. Raises a fault if a force or the energy is not finite.
  void kick(AtomState& state, double time) const;
  /// r += v * time, for all atoms.
  void drift(AtomState& state, double time) const;
  /// A kick, then a drift, in one loop over the atoms.
  void kick_and_drift(AtomState& state, double kick_time, double drift_time) const;
  /// On a CPU, throws the first fault of the loops that have run until now.
  static void throw_fault_of_cpu(AtomState& state);
  /// Kinetic and potential energy, eV. [replicas]
  std::vector<double> energies(const AtomState& state) const;

 private:
  /// A copy of a state.
  struct Snapshot;

  void run_block(AtomState& state, ForceField& field, Index steps);

  double timestep_;
  int threads_;
  std::vector<IntegratorState*> integrator_states_;
  std::unique_ptr<Snapshot> snapshot_;
};

/// Checks that all replicas have 3N - 3 degrees of freedom.
/// @throws InputError for a replica that has only one atom, or whose centre of mass moves
void require_rest(const AtomState& state, int threads);

}  // namespace larmor::atoms
