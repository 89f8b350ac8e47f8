#pragma once
// Minimisation of the enthalpy of every replica, or of its energy for constant boxes. All replicas
// are evaluated together. Each replica takes its own steps, and stops when it has converged.

#include <memory>

#include "larmor/atoms/forces/force_field.hpp"
#include "larmor/atoms/minimisers/coordinates.hpp"

namespace larmor::atoms {

struct MinimiserSettings {
  double tolerance = 1e-3;      ///< largest force on an atom of a replica, eV/Angstrom
  double energy_tolerance = 0;  ///< largest change of the enthalpy in the last step, eV per atom
  double max_step = 0.1;        ///< largest step of an atom, Angstrom
  std::optional<BoxRelaxation> box;  ///< none: boxes are constant
};

class Minimiser {
 public:
  /// @throws InputError for a tolerance or a step that is not positive, or a negative tolerance of
  /// the energy
  Minimiser(const AtomLayout& layout, const MinimiserSettings& settings, int threads);
  Minimiser(const Minimiser&) = delete;
  Minimiser& operator=(const Minimiser&) = delete;
  virtual ~Minimiser() = default;

  /// Begins at the current atoms and boxes. The forces are evaluated once.
  void start(AtomState& state, ForceField& field);
  /// Makes at most `iterations` steps, with one evaluation of the forces of all replicas per step.
  /// It stops when all replicas are done. The state then has the accepted coordinates and forces of
  /// each replica. Velocities do not change. @return number of steps
  /// @throws UnphysicalError if an enthalpy is not finite, and the errors of the force field
  Index run(AtomState& state, ForceField& field, Index iterations);

  /// Has every replica converged, or does no step lower its enthalpy?
  bool done() const;
  /// Number of converged replicas. A replica has converged if the forces and, if boxes relax, the
  /// pressure are within their tolerances. It has also converged if the last step changed its
  /// enthalpy by less than the energy tolerance.
  Index converged() const;
  /// Has each replica converged? [replicas]
  const ReplicaSet& convergence() const { return converged_; }

  /// E + P V, eV [replicas].
  const std::vector<double>& enthalpies() const { return enthalpy_; }
  /// The largest force on an atom, eV/Angstrom [replicas].
  const std::vector<double>& largest_forces() const { return largest_force_; }
  /// Difference between the pressure and its target, eV/Angstrom^3 [replicas].
  const std::vector<double>& pressure_excesses() const { return pressure_excess_; }

  /// All numbers of the minimisation, replica by replica. Replicas with equally many atoms have
  /// equally many numbers. FORMAT: in checkpoints.
  std::vector<double> save() const;
  /// The numbers of one replica.
  std::vector<double> save(std::size_t replica) const;
  /// Continues a saved minimisation; callers call it instead of `start`. The next `run` needs the
  /// state that the atoms had at `save`.
  void load(std::span<const double> saved);

 protected:
  /// Deletes the history of the chosen replicas.
  virtual void restart(const ReplicaSet& chosen) = 0;
  /// Sets `trial_` for the running replicas.
  virtual void propose(const ReplicaSet& running) = 0;
  /// @param enthalpy enthalpies of the trials @return the replicas that accept their trials
  virtual ReplicaSet accept_trials(const ReplicaSet& running, std::span<const double> enthalpy) = 0;
  /// Prepares the next proposal of the chosen replicas, which have accepted a trial and are not
  /// done.
  virtual void advance(const ReplicaSet& chosen) = 0;
  /// Does a small change of the enthalpy mean that the replica is near the minimum?
  virtual bool may_stop_by_energy(std::size_t) const { return true; }
  /// Appends the history of one replica.
  virtual void save_memory(std::vector<double>& out, std::size_t replica) const = 0;
  virtual void load_memory(std::span<const double>& saved, std::size_t replica) = 0;

  std::size_t replicas() const { return enthalpy_.size(); }

  AtomLayout layout_;
  MinimiserSettings settings_;
  int threads_;
  Coordinates coordinates_;
  JointVector x_, force_;  ///< accepted coordinates and their forces
  JointVector trial_, trial_force_;
  std::vector<double> enthalpy_;
  ReplicaSet stalled_;  ///< no step lowers the enthalpy

 private:
  ReplicaSet running() const;
  void measure(const AtomState& state, const ReplicaSet& chosen, std::span<const double> enthalpy);

  std::vector<double> largest_force_, pressure_excess_;
  ReplicaSet converged_;
};

/// Bytes of the work arrays. @param history number of pairs of L-BFGS; 0 for FIRE
double minimiser_bytes(Index atoms, int history);

}  // namespace larmor::atoms
