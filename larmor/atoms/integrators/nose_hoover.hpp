#pragma once
// Velocity Verlet with a Nose-Hoover chain for each replica (nose_hoover_chain.hpp), which acts for
// half a step before it and after it. Deterministic and time-reversible. Energy and chain together
// are conserved. Small or harmonic systems may not visit all states: Langevin and velocity
// rescaling do.

#include "larmor/atoms/integrators/nose_hoover_chain.hpp"
#include "larmor/atoms/integrators/thermostat.hpp"
#include "larmor/atoms/system/loops.hpp"

namespace larmor::atoms {

/// What Nose-Hoover chains of all replicas have in common, in a box that is fixed or not.
class ChainedIntegrator : public ThermostattedIntegrator {
 public:
  /// @throws InputError for a temperature that is not positive, or more links than there can be
  ChainedIntegrator(double timestep, const HeatBath& bath, int threads);

 protected:
  /// Of every replica, where the atoms are.
  NoseHooverChain* chains() { return chains_.data(); }
  /// Energies of the chains, eV. [replicas]
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
