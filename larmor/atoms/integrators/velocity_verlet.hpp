#pragma once
// Newton's equations by velocity Verlet (Swope, Andersen, Berens, Wilson, J. Chem. Phys. 76, 637
// (1982)): half a kick, a drift, half a kick. The steps are time-reversible, and energy is
// conserved.

#include "larmor/atoms/integrators/integrator.hpp"

namespace larmor::atoms {

class VelocityVerlet : public Integrator {
 public:
  using Integrator::Integrator;

  std::vector<double> conserved(const AtomState& state) const override { return energies(state); }

 protected:
  void step(AtomState& state, ForceField& field) override {
    kick_and_drift(state, timestep() / 2, timestep());
    field.evaluate(state);
    kick(state, timestep() / 2);
  }
};

}  // namespace larmor::atoms
