#pragma once
// Langevin dynamics, m dv/dt = F - m v / tau + noise, by the splitting BAOAB of B. Leimkuhler and
// C. Matthews, J. Chem. Phys. 138, 174102 (2013): half a kick, half a drift, friction and noise,
// half a drift, half a kick. `time` of the bath is tau; the friction coefficient is 1 / tau.
//
// Friction and noise act on velocities relative to the centre of mass, which stays at rest. The
// noise is that of 3 N - 3 degrees of freedom for N atoms. In harmonic wells the timestep causes no
// error in the distribution of positions. The distribution of velocities has an error of second
// order.

#include "larmor/atoms/integrators/heat_bath.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

struct ComputeVelocityDecay {
  HeatBathView bath;
  double timestep;
  double* decay;  ///< exp(-timestep / tau) [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    decay[replica] = exponential(-timestep / bath.time[replica]);
  }
};

/// The exact step of friction and noise.
struct ApplyFrictionAndNoise {
  AtomsView atoms;
  HeatBathView bath;
  RandomKeys keys;
  const double* decay;  ///< exp(-timestep / tau) [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    const double factor = decay[replica];
    const double spread =
        square_root((1 - factor * factor) * bath.thermal_energy(replica) / atoms.mass(i));
    const auto atom = static_cast<std::uint64_t>(i - atoms.layout.first[replica]);
    const auto random = philox(keys(replica), atom, std::uint64_t{0});
    atoms.velocity[i] = factor * atoms.velocity[i] + spread * normal_vector<double>(random);
  }
};

class Langevin : public StochasticThermostat {
 public:
  static constexpr const char* name = "langevin";
  static constexpr const char* doc =
      "Langevin dynamics; the friction coefficient is one over thermostat_time";
  using AtomKernels = std::tuple<ApplyFrictionAndNoise>;
  using ReplicaKernels = std::tuple<ComputeVelocityDecay, AddHeat>;
  using StochasticThermostat::StochasticThermostat;

 protected:
  void step(AtomState& state, ForceField& field) override {
    kick_and_drift(state, timestep() / 2, timestep() / 2);
    apply_friction_and_noise(state);
    drift(state, timestep() / 2);
    field.evaluate(state);
    kick(state, timestep() / 2);
  }

 private:
  void apply_friction_and_noise(AtomState& state) {
    const HeatBathView bath = heat_bath(state, state.device);
    decay_.resize(state.device, state.layout.replicas());
    sum_kinetic_energies(state, threads(), before_);
    for_each_replica(state, ComputeVelocityDecay{bath, timestep(), decay_.data()});
    for_each_atom(state, threads(),
                  ApplyFrictionAndNoise{state.view(), bath, state.random_keys(Stream::atom_noise),
                                        decay_.data()});
    // The motion of the centre of mass may be removed from friction and noise, or from the
    // velocities afterwards. Both ways are equivalent if the centre of mass was at rest. Only the
    // second way also removes rounding errors.
    stop_centre_of_mass(state, threads(), motion_);
    sum_kinetic_energies(state, threads(), after_);
    for_each_replica(state, AddHeat{before_.data(), after_.data(), heat()});
  }

  ReplicaSums<1> before_, after_;
  ReplicaSums<4> motion_;
  AtomArray<double> decay_;
};

}  // namespace larmor::atoms
