#pragma once
// Velocity Verlet with a Nose-Hoover chain for each replica (nose_hoover_chain.hpp), which acts for
// half a step before it and after it. Deterministic and time-reversible. Energy and chain together
// are conserved. Small or harmonic systems may not visit all states: Langevin and velocity
// rescaling do.

#include "larmor/atoms/integrators/nose_hoover_chain.hpp"
#include "larmor/atoms/integrators/thermostat.hpp"

namespace larmor::atoms {

/// What Nose-Hoover chains of all replicas have in common, in a box that is fixed or not.
class ChainedIntegrator : public ThermostattedIntegrator {
 public:
  /// @throws InputError for a temperature that is not positive
  ChainedIntegrator(double timestep, const HeatBath& bath, int threads);

  std::vector<double> save() const override;
  void load(std::span<const double> saved) override;

 protected:
  /// Lets the chains act on the velocities of the atoms.
  /// @param twice_kinetic 2 K [replicas] @return what velocities were multiplied with
  std::vector<double> move_chains(AtomState& state, std::span<const double> twice_kinetic,
                                  double duration);
  double chain_energy(const AtomState& state, Index replica) const;
  ChainTarget atoms_target(const AtomState& state, Index replica) const;

 private:
  std::vector<NoseHooverChain> chains_;
};

void save_chains(std::span<const NoseHooverChain> chains, std::vector<double>& out);
/// Takes what it reads off the front.
void load_chains(std::span<NoseHooverChain> chains, std::span<const double>& saved);

class NoseHoover : public ChainedIntegrator {
 public:
  using ChainedIntegrator::ChainedIntegrator;

  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  void step(AtomState& state, ForceField& field) override;

 private:
  void thermostat(AtomState& state);
};

}  // namespace larmor::atoms
