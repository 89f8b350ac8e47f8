#include "larmor/atoms/integrators/nose_hoover.hpp"

#include "larmor/atoms/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

ChainedIntegrator::ChainedIntegrator(double timestep, const HeatBath& bath, int threads)
    : ThermostattedIntegrator(timestep, bath, threads), chains_(bath.temperature.size()) {
  for (const Ramp& ramp : bath.temperature)
    if (!(ramp.begin > 0) || !(ramp.end > 0))
      throw InputError("the temperature of a Nose-Hoover chain is 0",
                       "it must be positive; langevin takes 0");
}

std::vector<double> ChainedIntegrator::save() const {
  std::vector<double> out;
  save_chains(chains_, out);
  return out;
}

void ChainedIntegrator::load(std::span<const double> saved) { load_chains(chains_, saved); }

std::vector<double> ChainedIntegrator::move_chains(AtomState& state,
                                                   std::span<const double> twice_kinetic,
                                                   double duration) {
  std::vector<double> factor;
  for (std::size_t r = 0; r < chains_.size(); ++r)
    factor.push_back(move_chain(chains_[r], twice_kinetic[r],
                                atoms_target(state, static_cast<Index>(r)), duration));
  scale_velocities(state, factor, threads());
  return factor;
}

double ChainedIntegrator::chain_energy(const AtomState& state, Index replica) const {
  return energy_of(chains_[static_cast<std::size_t>(replica)], atoms_target(state, replica));
}

ChainTarget ChainedIntegrator::atoms_target(const AtomState& state, Index replica) const {
  const Index freedom = degrees_of_freedom(state.layout.atoms_of(replica));
  return {static_cast<double>(freedom), thermal_energy(state, replica), time(replica)};
}

void save_chains(std::span<const NoseHooverChain> chains, std::vector<double>& out) {
  for (const NoseHooverChain& chain : chains) {
    out.insert(out.end(), std::begin(chain.rate), std::end(chain.rate));
    out.push_back(chain.work);
  }
}

void load_chains(std::span<NoseHooverChain> chains, std::span<const double>& saved) {
  for (NoseHooverChain& chain : chains) {
    for (double& rate : chain.rate) {
      rate = saved.front();
      saved = saved.subspan(1);
    }
    chain.work = saved.front();
    saved = saved.subspan(1);
  }
}

std::vector<double> NoseHoover::conserved(const AtomState& state) const {
  std::vector<double> conserved = energies(state);
  for (std::size_t r = 0; r < conserved.size(); ++r)
    conserved[r] += chain_energy(state, static_cast<Index>(r));
  return conserved;
}

void NoseHoover::step(AtomState& state, ForceField& field) {
  thermostat(state);
  kick(state, timestep() / 2);
  drift(state, timestep());
  evaluate(state, field);
  kick(state, timestep() / 2);
  thermostat(state);
}

void NoseHoover::thermostat(AtomState& state) {
  std::vector<double> twice_kinetic = kinetic_energies(state, threads());
  for (double& K : twice_kinetic) K *= 2;
  move_chains(state, twice_kinetic, timestep() / 2);
}

}  // namespace larmor::atoms
