#pragma once
// Stochastic velocity rescaling: G. Bussi, D. Donadio, M. Parrinello, J. Chem. Phys. 126, 014101
// (2007). After each step of velocity Verlet all velocities of a replica are multiplied by one
// random factor, such that its kinetic energy K follows
//
//   dK = (K0 - K) dt / tau + 2 sqrt(K K0 / n) dW / sqrt(tau),   K0 = n k_B T / 2,   n = 3 N - 3,
//
// where N is the number of atoms and W a Wiener process. The step solves this equation exactly (eq.
// A7 of the paper), and the distribution of K is the canonical one. `time` of the bath is tau.

#include "larmor/atoms/integrators/heat_bath.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

/// One standard normal deviate from a block of random numbers.
LARMOR_INLINE double normal_of_block(const RandomKey& key, std::uint32_t block) {
  return normal_vector<double>(philox(key, std::uint64_t{0}, std::uint64_t{0}, block)).x;
}

/// A deviate of the gamma distribution x^(shape - 1) exp(-x) with shape >= 1, by G. Marsaglia and
/// W. W. Tsang, ACM Trans. Math. Softw. 26, 363 (2000). At least 95 of 100 trials are accepted.
/// @param block first block of random numbers; each trial uses two blocks
LARMOR_INLINE double gamma_deviate(double shape, const RandomKey& key, std::uint32_t block) {
  const double d = shape - 1.0 / 3, c = 1 / square_root(9 * d);
  for (;; block += 2) {
    const double x = normal_of_block(key, block);
    const double root = 1 + c * x;
    if (!(root > 0)) continue;
    const double v = root * root * root;
    const auto random = philox(key, std::uint64_t{0}, std::uint64_t{0}, block + 1);
    const double u = uniform_52<double>(random.w[0], random.w[1]);
    if (logarithm(u) < 0.5 * x * x + d - d * v + d * logarithm(v)) return d * v;
  }
}

/// The random factor for the velocities in one step.
/// @param kinetic K > 0 @param wanted K0 @param freedom n >= 3 @param decay exp(-timestep / tau)
LARMOR_INLINE double rescaling(double kinetic, double wanted, double freedom, double decay,
                               const RandomKey& key) {
  const double first = normal_of_block(key, 0);
  // Sum of the squares of n - 1 normal deviates. `first` is the other one of n deviates.
  const double others = 2 * gamma_deviate((freedom - 1) / 2, key, 1);
  const double variance = (1 - decay) * wanted / (freedom * kinetic);
  const double root = square_root(decay) + square_root(variance) * first;
  const double scale = square_root(root * root + variance * others);
  // Eq. A8 of the paper gives the sign. `first` is the deviate along the current velocities.
  return root < 0 ? -scale : scale;
}

struct ChooseRescaling {
  LayoutView layout;
  HeatBathView bath;
  double timestep;
  RandomKeys keys;
  const std::array<double, 1>* kinetic;  ///< [replicas]
  double* factor;                        ///< factor for the velocities [replicas]
  double* heat;                          ///< increases by the heat of the step [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    factor[replica] = 1;
    const double K = kinetic[replica][0];
    if (!(K > 0)) return;  // Atoms at rest stay at rest.
    const auto freedom = static_cast<double>(degrees_of_freedom(layout.atoms_of(replica)));
    const double scale = rescaling(K, freedom * bath.thermal_energy(replica) / 2, freedom,
                                   exponential(-timestep / bath.time[replica]), keys(replica));
    factor[replica] = scale;
    heat[replica] += (scale * scale - 1) * K;
  }
};

class Bussi : public StochasticThermostat {
 public:
  static constexpr const char* name = "bussi";
  static constexpr const char* doc =
      "velocity rescaling with a random number (Bussi, Donadio, Parrinello)";
  using ReplicaKernels = std::tuple<ChooseRescaling>;
  using StochasticThermostat::StochasticThermostat;

 protected:
  void step(AtomState& state, ForceField& field) override {
    kick_and_drift(state, timestep() / 2, timestep());
    field.evaluate(state);
    kick(state, timestep() / 2);
    rescale(state);
  }

  /// Multiplies the velocities and counts the heat of a step.
  void rescale(AtomState& state) {
    sum_kinetic_energies(state, threads(), kinetic_);
    factor_.resize(state.device, state.layout.replicas());
    for_each_replica(
        state, ChooseRescaling{state.layout.view(), heat_bath(state, state.device), timestep(),
                               state.random_keys(Stream::kinetic_energy_noise), kinetic_.data(),
                               factor_.data(), heat()});
    scale_velocities(state, factor_, threads());
  }

 private:
  ReplicaSums<1> kinetic_;
  AtomArray<double> factor_;
};

}  // namespace larmor::atoms
