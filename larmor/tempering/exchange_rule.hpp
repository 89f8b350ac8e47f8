#pragma once
// Two replicas exchange their rungs (K. Hukushima and K. Nemoto, J. Phys. Soc. Jpn. 65, 1604
// (1996)). Replicas with energies E_a and E_b at inverse temperatures beta_a and beta_b do so with
// probability
//     min(1, exp((beta_a - beta_b) (E_a - E_b))),
// which leaves the product of their Boltzmann distributions unchanged. Rungs may differ in any
// factor that multiplies a function of the state in the exponent. If the Hamiltonian is H_0 - h M
// at one temperature, the field h replaces beta, and - M / k_B T replaces E. Compile this without
// fused multiply-add, so that GPU and CPU decide equally.

#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/types.hpp"

namespace larmor::tempering {
inline namespace LARMOR_ISA_NAMESPACE {

/// BITS: the random number of a pair, uniform between 0 and 1.
/// @param key has the stream Stream::temperature_exchange and the step of the exchange
/// @param lower the lower one of the two neighbouring rungs
/// @param ladder number of the ladder; 0 is the ladder `key.first_replica` of the study
LARMOR_INLINE double exchange_number(const RandomKey& key, Index lower, Index ladder) {
  const auto random = philox<std::uint64_t>(key, static_cast<std::uint64_t>(lower),
                                            static_cast<std::uint64_t>(ladder));
  return uniform_52<double>(random.w[0], random.w[1]);
}

/// BITS: the decision of a pair.
/// @param exponent (beta_a - beta_b) (E_a - E_b); nothing is exchanged if it is not a number
/// @param number exchange_number of the pair
LARMOR_INLINE bool exchange_accepted(double exponent, double number) {
  return exponent < 0 ? number < exponential(exponent) : exponent >= 0;
}

/// The decision of a pair. Its random number is computed only if it is needed.
/// @param key, lower, ladder as for exchange_number
LARMOR_INLINE bool exchange_accepted(double exponent, const RandomKey& key, Index lower,
                                     Index ladder) {
  if (!(exponent < 0)) return exponent >= 0;
  return exchange_accepted(exponent, exchange_number(key, lower, ladder));
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::tempering
