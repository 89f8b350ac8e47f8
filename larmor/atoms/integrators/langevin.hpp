#pragma once
// Langevin dynamics, m dv/dt = F - m v / tau + noise, by the splitting BAOAB of B. Leimkuhler and
// C. Matthews, J. Chem. Phys. 138, 174102 (2013): half a kick, half a drift, friction and noise,
// half a drift, half a kick. `time` of the bath is tau; the friction coefficient is 1 / tau.
//
// Friction and noise act on velocities relative to the centre of mass, which stays at rest. The
// noise is that of 3 N - 3 degrees of freedom. In harmonic wells the timestep causes no error in
// the distribution of positions, and one of second order in that of velocities.

#include "larmor/atoms/integrators/thermostat.hpp"
#include "larmor/atoms/system/loops.hpp"

namespace larmor::atoms {

class Langevin : public StochasticThermostat {
 public:
  using StochasticThermostat::StochasticThermostat;

 protected:
  void step(AtomState& state, ForceField& field) override;

 private:
  void fluctuate(AtomState& state);

  ReplicaSums<1> before_, after_;
  ReplicaSums<4> motion_;
  AtomArray<double> kept_;
};

}  // namespace larmor::atoms
