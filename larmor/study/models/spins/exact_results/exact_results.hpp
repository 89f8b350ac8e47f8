#pragma once
// Exactly known results for vector spins.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

/// Number of replicas of systems whose averages have an error.
inline constexpr Index exact_replicas = 32;

/// Thermal averages by every sampler.
std::vector<ExactResult> exact_sampling();
/// Dynamics without noise, and with the noise of a heat bath.
std::vector<ExactResult> exact_dynamics();
/// The dipole-dipole interaction: energies, and the field about which spins precess.
std::vector<ExactResult> exact_dipoles();
/// Structure factors at equal times and in time.
std::vector<ExactResult> exact_correlations();

/// Tolerance of a deterministic result. Spins in single precision have 24 bits.
inline double tolerance(const Device& device, double in_doubles) {
  constexpr double in_floats = 2e-4;
  return device.precision == Precision::double_numbers ? in_doubles : in_floats;
}

/// Langevin's function coth x - 1/x.
double langevin(double x);

}  // namespace larmor::study
