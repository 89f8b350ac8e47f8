#pragma once
// Stochastic velocity rescaling: G. Bussi, D. Donadio, M. Parrinello, J. Chem. Phys. 126, 014101
// (2007). After each step of velocity Verlet all velocities of a replica are multiplied by one
// random factor, such that its kinetic energy K follows
//
//   dK = (K0 - K) dt / tau + 2 sqrt(K K0 / n) dW / sqrt(tau),   K0 = n k_B T / 2,   n = 3 N - 3,
//
// which the step solves exactly (their eq. A7): the distribution of K is the canonical one. `time`
// of the bath is tau.

#include "larmor/atoms/integrators/thermostat.hpp"
#include "larmor/atoms/system/loops.hpp"

namespace larmor::atoms {

class Bussi : public StochasticThermostat {
 public:
  using StochasticThermostat::StochasticThermostat;

 protected:
  void step(AtomState& state, ForceField& field) override;

  /// Multiplies the velocities and counts the heat of a step.
  void rescale(AtomState& state);

 private:
  ReplicaSums<1> kinetic_;
  AtomArray<double> factor_;
};

}  // namespace larmor::atoms
