#pragma once
// Minimises the enthalpy of every replica, or its energy where boxes stay as they are: all are
// evaluated together, each goes its own way and rests once it has converged.

#include <memory>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/minimisers/coordinates.hpp"

namespace larmor::atoms {

struct MinimiserSettings {
  double tolerance = 1e-3;           ///< of the largest force on an atom of a replica, eV/Angstrom
  double energy_tolerance = 0;       ///< change of H in a step that is small enough, eV an atom
  double max_step = 0.1;             ///< of an atom in a step, Angstrom
  std::optional<BoxRelaxation> box;  ///< none: boxes stay as they are
};

class Minimiser {
 public:
  /// @throws InputError for a tolerance or a step that is not positive, a negative tolerance of the
  /// energy
  Minimiser(const AtomLayout& layout, const MinimiserSettings& settings, int threads);
  Minimiser(const Minimiser&) = delete;
  Minimiser& operator=(const Minimiser&) = delete;
  virtual ~Minimiser() = default;

  /// Begins at the atoms and boxes as they are. The forces are evaluated once.
  void start(AtomState& state, ForceField& field);
  /// At most `iterations` steps, each one evaluation of the forces of all replicas. Stops when all
  /// are done. The state is then where each replica has come to, its forces evaluated there.
  /// Velocities are left as they are. @return steps made
  /// @throws UnphysicalError where an enthalpy is not finite, and what the force field throws
  Index run(AtomState& state, ForceField& field, Index iterations);

  /// Has every replica converged, or found that no step leads further down?
  bool done() const;
  /// Replicas of which the forces and, where boxes relax, the pressure are within their tolerances,
  /// or whose last step has changed H by less than the tolerance of the energy.
  Index converged() const;
  /// Which ones have.
  const ReplicaSet& convergence() const { return converged_; }

  /// E + P V, eV. [replicas]
  const std::vector<double>& enthalpies() const { return enthalpy_; }
  /// The largest force on an atom, eV/Angstrom. [replicas]
  const std::vector<double>& largest_forces() const { return largest_force_; }
  /// How far the pressure is from its target, eV/Angstrom^3. [replicas]
  const std::vector<double>& pressure_excesses() const { return pressure_excess_; }

  /// FORMAT: in checkpoints, replica by replica, as many numbers for each that has as many atoms.
  std::vector<double> save() const;
  /// Goes on as the one that was saved, instead of `start`. The state is that of then.
  void load(std::span<const double> saved);

 protected:
  /// Forgets the past of the chosen replicas.
  virtual void restart(const ReplicaSet& chosen) = 0;
  /// Sets `trial_` of the replicas that run.
  virtual void propose(const ReplicaSet& running) = 0;
  /// @param enthalpy of the trials @return the replicas of which the trial is accepted
  virtual ReplicaSet judge(const ReplicaSet& running, std::span<const double> enthalpy) = 0;
  /// Prepares the next proposal of replicas whose trial was accepted and that go on.
  virtual void advance(const ReplicaSet& chosen) = 0;
  /// Does a small change of H say that a replica is near the minimum?
  virtual bool moves_freely(std::size_t) const { return true; }
  /// Of one replica.
  virtual void save_memory(std::vector<double>& out, std::size_t replica) const = 0;
  virtual void load_memory(std::span<const double>& saved, std::size_t replica) = 0;

  std::size_t replicas() const { return enthalpy_.size(); }

  AtomLayout layout_;
  MinimiserSettings settings_;
  int threads_;
  Coordinates coordinates_;
  JointVector x_, force_;  ///< where replicas have come to
  JointVector trial_, trial_force_;
  std::vector<double> enthalpy_;
  ReplicaSet stalled_;  ///< no step leads further down

 private:
  ReplicaSet running() const;
  void measure(const AtomState& state, const ReplicaSet& chosen, std::span<const double> enthalpy);

  std::vector<double> largest_force_, pressure_excess_;
  ReplicaSet converged_;
};

/// Bytes that FIRE or, with its history of so many pairs, L-BFGS works in.
double minimiser_bytes(Index atoms, int history);

}  // namespace larmor::atoms
