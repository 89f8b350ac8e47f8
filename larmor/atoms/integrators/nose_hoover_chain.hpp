#pragma once
// A chain of Nose-Hoover thermostats (G. J. Martyna, M. L. Klein, M. Tuckerman, J. Chem. Phys. 97,
// 2635 (1992)) that controls the kinetic energy of n degrees of freedom: those of atoms, or of a
// box. With the rates w_k of its links, Q_1 = n k_B T tau^2 and Q_k = k_B T tau^2,
//
//   dv/dt = F/m - w_1 v,
//   Q_1 dw_1/dt = 2 K - n k_B T - Q_1 w_1 w_2,
//   Q_k dw_k/dt = Q_k-1 w_k-1^2 - k_B T - Q_k w_k w_k+1,
//
// and the chain has the energy sum Q_k w_k^2 / 2 + integral of k_B T (n w_1 + w_2 + ...) dt.
// Integrated by the method of G. J. Martyna, M. E. Tuckerman, D. J. Tobias, M. L. Klein, Mol. Phys.
// 87, 1117 (1996), with the three weights of Suzuki and Yoshida.

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

  /// Q_k, counted from 0.
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
  const double driven = k == 0 ? twice_kinetic - target.freedom * target.thermal_energy
                               : target.inertia(k - 1) * chain.rate[k - 1] * chain.rate[k - 1] -
                                     target.thermal_energy;
  const double slowed =
      k + 1 < target.links ? exponential(-0.5 * duration * chain.rate[k + 1]) : 1.0;
  chain.rate[k] = (chain.rate[k] * slowed + duration * driven / target.inertia(k)) * slowed;
}

/// Moves the chain and its velocities for a duration.
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

}  // namespace larmor::atoms
