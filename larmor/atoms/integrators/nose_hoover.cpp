#include "larmor/atoms/integrators/nose_hoover.hpp"

#include <string>

#include "larmor/atoms/integrators/nose_hoover_kernel.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

ChainedIntegrator::ChainedIntegrator(double timestep, const HeatBath& bath, int threads)
    : ThermostattedIntegrator(timestep, bath, threads), chains_(bath.temperature.size()) {
  for (const Ramp& ramp : bath.temperature)
    if (!(ramp.begin > 0) || !(ramp.end > 0))
      throw InputError("the temperature of a Nose-Hoover chain is 0",
                       "give a positive temperature; langevin also allows 0");
  if (links() < 0 || links() > NoseHooverChain::most_links)
    throw InputError("a Nose-Hoover chain has " + std::to_string(links()) + " links",
                     "it has up to " + std::to_string(NoseHooverChain::most_links));
  keep(chains_);
}

std::vector<double> ChainedIntegrator::chain_energies(const AtomState& state) const {
  const HeatBathView bath = heat_bath(state, {});
  const std::vector<NoseHooverChain> chains = chains_.to_host();
  std::vector<double> energies;
  for (Index replica = 0; replica < state.layout.replicas(); ++replica)
    energies.push_back(energy_of(chains[static_cast<std::size_t>(replica)],
                                 atoms_target(bath, state.layout.atoms_of(replica), replica)));
  return energies;
}

std::vector<double> NoseHoover::conserved(const AtomState& state) const {
  std::vector<double> conserved = energies(state);
  const std::vector<double> of_chains = chain_energies(state);
  for (std::size_t r = 0; r < conserved.size(); ++r) conserved[r] += of_chains[r];
  return conserved;
}

void NoseHoover::step(AtomState& state, ForceField& field) {
  thermostat(state);
  kick_and_drift(state, timestep() / 2, timestep());
  field.evaluate(state);
  kick(state, timestep() / 2);
  thermostat(state);
}

void NoseHoover::thermostat(AtomState& state) {
  sum_kinetic_energies(state, threads(), kinetic_);
  factor_.resize(state.device, state.layout.replicas());
  for_each_replica(state, MoveChain{state.layout.view(), heat_bath(state, state.device),
                                    timestep() / 2, kinetic_.data(), chains(), factor_.data()});
  scale_velocities(state, factor_, threads());
}

}  // namespace larmor::atoms
