#pragma once
// Molecular dynamics of all replicas by a scheme of choice.
//
// Thermostats and barostats count 3 N - 3 degrees of freedom: the centre of mass of every replica
// must be at rest, as `set_velocities` leaves it.

#include <memory>
#include <span>
#include <vector>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/integrators/kept_numbers.hpp"

namespace larmor::atoms {

class Integrator {
 public:
  /// @param timestep ps
  /// @throws InputError for a timestep that is not positive
  Integrator(double timestep, int threads);
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;
  virtual ~Integrator();

  /// Evaluates the forces of the state. To be called before `run`, and again when the state was
  /// changed by another than this integrator.
  /// @throws InputError for a state that this integrator cannot move
  void start(AtomState& state, ForceField& field);

  /// @throws UnphysicalError when a force or an energy is no longer finite, and what the force
  /// field throws; the state is then not to be used. On a GPU steps are launched, and waited for at
  /// the end
  void run(AtomState& state, ForceField& field, Index steps);

  /// A quantity of every replica that exact dynamics leaves as it is, eV: how far it wanders tells
  /// how good the timestep is. Of targets that do not change; a ramp does work on it. [replicas]
  virtual std::vector<double> conserved(const AtomState& state) const = 0;

  /// What is kept between steps beside the state, as many numbers of each replica, one replica
  /// after the other. FORMAT: in checkpoints.
  std::vector<double> save() const;
  void load(std::span<const double> saved);

 protected:
  virtual void require(const AtomState&) const {}
  virtual void step(AtomState& state, ForceField& field) = 0;

  double timestep() const { return timestep_; }
  int threads() const { return threads_; }

  /// Numbers, a member of a class derived from this one, belong to what is saved, of each replica
  /// after those that were named before.
  void keep(KeptNumbers& numbers) { kept_.push_back(&numbers); }

  /// v += F / m * time, of all atoms. Raises a fault where a force, or the energy, is not finite.
  void kick(AtomState& state, double time) const;
  /// r += v * time, of all atoms.
  void drift(AtomState& state, double time) const;
  /// One after the other, in one pass.
  void kick_and_drift(AtomState& state, double kick_time, double drift_time) const;
  /// After loops that may raise faults: throws them on a CPU.
  static void throw_fault_of_cpu(AtomState& state);
  /// Kinetic and potential energy, eV. [replicas]
  std::vector<double> energies(const AtomState& state) const;

 private:
  /// A state and what is kept beside it.
  struct Moment;

  void run_portion(AtomState& state, ForceField& field, Index steps);

  double timestep_;
  int threads_;
  std::vector<KeptNumbers*> kept_;
  std::unique_ptr<Moment> remembered_;
};

/// For what needs degrees of freedom 3 N - 3.
/// @throws InputError for a replica of one atom, or whose centre of mass moves
void require_rest(const AtomState& state, int threads);

}  // namespace larmor::atoms
