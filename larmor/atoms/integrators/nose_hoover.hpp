#pragma once
// Velocity Verlet with a Nose-Hoover chain for each replica (nose_hoover_chain.hpp), which acts for
// half a step before and half a step after it. Deterministic and time-reversible. The sum of the
// energies of atoms and chain is conserved. Small or harmonic systems may not visit all states;
// Langevin dynamics and velocity rescaling visit all of them.

#include "larmor/atoms/integrators/nose_hoover_chain.hpp"
#include "larmor/atoms/integrators/thermostat.hpp"
#include "larmor/atoms/system/loops.hpp"

namespace larmor::atoms {

/// The Nose-Hoover chains of all replicas, for integrators with a constant or a moving box.
class ChainedIntegrator : public ThermostattedIntegrator {
 public:
  /// @throws InputError for a temperature that is not positive, or too many links
  ChainedIntegrator(double timestep, const HeatBath& bath, int threads);

 protected:
  /// The chain of every replica, on the device of the atoms.
  NoseHooverChain* chains() { return chains_.data(); }
  /// Energies of the chains, eV [replicas].
  std::vector<double> chain_energies(const AtomState& state) const;

 private:
  KeptOfReplicas<NoseHooverChain> chains_;
};

class NoseHoover : public ChainedIntegrator {
 public:
  using ChainedIntegrator::ChainedIntegrator;

  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  void step(AtomState& state, ForceField& field) override;

 private:
  void thermostat(AtomState& state);

  ReplicaSums<1> kinetic_;
  AtomArray<double> factor_;
};

}  // namespace larmor::atoms
