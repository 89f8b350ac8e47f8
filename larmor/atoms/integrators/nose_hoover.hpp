#pragma once
// Velocity Verlet with a Nose-Hoover chain for each replica. The chain acts for half a step before
// velocity Verlet and for half a step after it. The dynamics is deterministic and time-reversible.
// The sum of the energies of atoms and chain is conserved. Small or harmonic systems may not visit
// all states; stochastic thermostats visit all of them.
//
// A chain of Nose-Hoover thermostats (G. J. Martyna, M. L. Klein, M. Tuckerman, J. Chem. Phys. 97,
// 2635 (1992)) controls the kinetic energy of n degrees of freedom: those of atoms, or of a box.
// The rates of its links are w_k. With Q_1 = n k_B T tau^2 and Q_k = k_B T tau^2 for k > 1, the
// equations are
//
//   dv/dt = F/m - w_1 v,
//   Q_1 dw_1/dt = 2 K - n k_B T - Q_1 w_1 w_2,
//   Q_k dw_k/dt = Q_k-1 w_k-1^2 - k_B T - Q_k w_k w_k+1,
//
// and the chain has the energy sum Q_k w_k^2 / 2 + integral of k_B T (n w_1 + w_2 + ...) dt.
// The equations are integrated by the method of G. J. Martyna, M. E. Tuckerman, D. J. Tobias, M. L.
// Klein, Mol. Phys. 87, 1117 (1996), with the three weights of Suzuki and Yoshida.

#include <optional>
#include <string>

#include "larmor/atoms/integrators/heat_bath.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/units.hpp"
#include "larmor/core/maths/math.hpp"

namespace larmor::atoms {

/// FORMAT: in checkpoints.
struct NoseHooverChain {
  static constexpr int most_links = 8;

  double rate[most_links] = {};  ///< w_k, 1/ps; 0 behind the last link
  double work = 0;               ///< the integral, eV
};

/// The degrees of freedom to which a chain is coupled.
struct ChainTarget {
  double freedom;         ///< n
  double thermal_energy;  ///< k_B T > 0, eV
  double time;            ///< tau, ps
  int links;              ///< links of the chain; 0: no chain

  /// Q_k, where k counts from 0.
  LARMOR_INLINE double inertia(int link) const {
    return (link == 0 ? freedom : 1) * thermal_energy * time * time;
  }
};

LARMOR_INLINE double energy_of(const NoseHooverChain& chain, const ChainTarget& target) {
  double energy = chain.work;
  for (int k = 0; k < target.links; ++k)
    energy += 0.5 * target.inertia(k) * chain.rate[k] * chain.rate[k];
  return energy;
}

/// Integrates dw_k/dt for a duration, with constant w_k+1 and constant driving force.
LARMOR_INLINE void push_link(NoseHooverChain& chain, int k, double twice_kinetic,
                             const ChainTarget& target, double duration) {
  const double driving_force =
      k == 0
          ? twice_kinetic - target.freedom * target.thermal_energy
          : target.inertia(k - 1) * chain.rate[k - 1] * chain.rate[k - 1] - target.thermal_energy;
  const double decay =
      k + 1 < target.links ? exponential(-0.5 * duration * chain.rate[k + 1]) : 1.0;
  chain.rate[k] = (chain.rate[k] * decay + duration * driving_force / target.inertia(k)) * decay;
}

/// Moves the chain for a duration, and computes the factor for the velocities.
/// @param twice_kinetic 2 K @return factor for the velocities
LARMOR_INLINE double move_chain(NoseHooverChain& chain, double twice_kinetic,
                                const ChainTarget& target, double duration) {
  constexpr double outer = 1.3512071919596578;  // 1 / (2 - 2^(1/3))
  constexpr double weights[3] = {outer, 1 - 2 * outer, outer};
  double factor = 1;
  for (const double weight : weights) {
    const double time = weight * duration;
    for (int k = target.links - 1; k >= 0; --k)
      push_link(chain, k, factor * factor * twice_kinetic, target, time / 2);
    factor = factor * exponential(-time * chain.rate[0]);
    double sum = target.freedom * chain.rate[0];
    for (int k = 1; k < target.links; ++k) sum += chain.rate[k];
    chain.work += time * target.thermal_energy * sum;
    for (int k = 0; k < target.links; ++k)
      push_link(chain, k, factor * factor * twice_kinetic, target, time / 2);
  }
  return factor;
}

/// The baths of the atoms, and the length of their chains.
struct ChainBathView : HeatBathView {
  int links;

  LARMOR_INLINE ChainTarget target(double freedom, Index replica) const {
    return {freedom, thermal_energy(replica), time[replica], links};
  }
  LARMOR_INLINE ChainTarget atoms_target(Index atoms, Index replica) const {
    return target(static_cast<double>(degrees_of_freedom(atoms)), replica);
  }
};

struct MoveChain {
  LayoutView layout;
  ChainBathView bath;
  double duration;
  const std::array<double, 1>* kinetic;  ///< [replicas]
  NoseHooverChain* chain;                ///< [replicas]
  double* factor;                        ///< factor for the velocities [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    factor[replica] = move_chain(chain[replica], 2 * kinetic[replica][0],
                                 bath.atoms_target(layout.atoms_of(replica), replica), duration);
  }
};

/// The keys of Nose-Hoover chains in a study.
struct NoseHooverKeys {
  std::optional<Index> chain_length;

  int links() const { return static_cast<int>(chain_length.value_or(3)); }

  /// @param fields a FieldTable
  template <class Fields>
  static void add_to(Fields& fields) {
    fields
        .optional("chain_length", &NoseHooverKeys::chain_length, Dimension::none,
                  "nose-hoover: number of links of a Nose-Hoover chain; default: 3")
        .at_least(1)
        .at_most(NoseHooverChain::most_links);
  }
};

/// The Nose-Hoover chains of all replicas, for integrators with a constant or a moving box.
class ChainedIntegrator : public ThermostattedIntegrator {
 public:
  static constexpr bool needs_positive_temperature = true;

  /// @throws InputError for a temperature that is not positive, or too many links
  ChainedIntegrator(double timestep, const HeatBath& bath, int threads,
                    const NoseHooverKeys& keys = {})
      : ThermostattedIntegrator(timestep, bath, threads),
        chains_(bath.temperature.size()),
        links_(bath.is_coupled ? keys.links() : 0) {
    for (const Ramp& ramp : bath.temperature)
      if (!(ramp.begin > 0) || !(ramp.end > 0))
        throw InputError("the temperature of a Nose-Hoover chain is not positive",
                         "give a positive temperature");
    if (links_ < 0 || links_ > NoseHooverChain::most_links)
      throw InputError("a Nose-Hoover chain has " + std::to_string(links_) + " links",
                       "give a number from 0 to " + std::to_string(NoseHooverChain::most_links));
    add_state(chains_);
  }

 protected:
  /// Links of each chain; 0: there are no chains.
  int links() const { return links_; }
  /// The chain of every replica, on the device of the atoms.
  NoseHooverChain* chains() { return chains_.data(); }
  ChainBathView chain_bath(const AtomState& state, const Device& device) const {
    return {heat_bath(state, device), links_};
  }
  /// Energies of the chains, eV [replicas].
  std::vector<double> chain_energies(const AtomState& state) const {
    const ChainBathView bath = chain_bath(state, {});
    const std::vector<NoseHooverChain> chains = chains_.to_host();
    std::vector<double> energies;
    for (Index replica = 0; replica < state.layout.replicas(); ++replica)
      energies.push_back(energy_of(chains[static_cast<std::size_t>(replica)],
                                   bath.atoms_target(state.layout.atoms_of(replica), replica)));
    return energies;
  }

 private:
  StateOfReplicas<NoseHooverChain> chains_;
  int links_;
};

class NoseHoover : public ChainedIntegrator {
 public:
  static constexpr const char* name = "nose-hoover";
  static constexpr const char* doc =
      "a Nose-Hoover chain for each replica; the kinetic energy oscillates with a period of 4.4 "
      "times thermostat_time";
  using ReplicaKernels = std::tuple<MoveChain>;
  using Keys = NoseHooverKeys;
  using ChainedIntegrator::ChainedIntegrator;

  std::vector<double> conserved(const AtomState& state) const override {
    std::vector<double> conserved = energies(state);
    const std::vector<double> of_chains = chain_energies(state);
    for (std::size_t r = 0; r < conserved.size(); ++r) conserved[r] += of_chains[r];
    return conserved;
  }

 protected:
  void step(AtomState& state, ForceField& field) override {
    thermostat(state);
    kick_and_drift(state, timestep() / 2, timestep());
    field.evaluate(state);
    kick(state, timestep() / 2);
    thermostat(state);
  }

 private:
  void thermostat(AtomState& state) {
    sum_kinetic_energies(state, threads(), kinetic_);
    factor_.resize(state.device, state.layout.replicas());
    for_each_replica(state, MoveChain{state.layout.view(), chain_bath(state, state.device),
                                      timestep() / 2, kinetic_.data(), chains(), factor_.data()});
    scale_velocities(state, factor_, threads());
  }

  ReplicaSums<1> kinetic_;
  AtomArray<double> factor_;
};

}  // namespace larmor::atoms
