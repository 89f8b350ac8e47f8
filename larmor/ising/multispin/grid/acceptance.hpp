#pragma once
// Probabilities of flips. Let the bonds of a spin have the local sum
//
//     h = sum over bonds of sign(J_ij) s_i s_j = satisfied - unsatisfied bonds
//
// A flip of the spin changes the energy by 2 |J| h. With beta = 1 / k_B T, the spin flips with
// probability
//
//     Metropolis             min(1, exp(-2 beta |J| h))
//     Glauber, heat bath     1 / (1 + exp(2 beta |J| h))
//
// Glauber's rule flips the spin if a random number is below this probability. Heat bath draws the
// new spin. It is down if the number is below the probability of down. Both rules have equal
// probabilities of the new spin. With heat bath, two copies with common random numbers approach
// each other.
//
// Sources: N. Metropolis et al., J. Chem. Phys. 21, 1087 (1953); R. J. Glauber, J. Math. Phys. 4,
// 294 (1963).

#include <cstdint>
#include <string>

#include "larmor/core/types.hpp"
#include "larmor/ising/rule.hpp"

namespace larmor::ising {

/// BITS: binary digits of a probability, and of the random number compared with it.
inline constexpr int digits = 32;
/// Number of values of h, from -2 axes to 2 axes, for most_axes.
inline constexpr int most_sums = 17;

/// The probability of a flip.
/// @param h number of satisfied minus number of unsatisfied bonds @param ratio |J| / k_B T
double flip_probability(Rule rule, int h, double ratio);

/// BITS: the probability times 2^32, rounded to the nearest whole number: 0 to 2^32.
std::uint64_t flip_threshold(Rule rule, int h, double ratio);

/// Probabilities as binary digits, for each q = 2 axes - h = 0, 1, ..., 4 axes. q is twice the
/// number of unsatisfied bonds plus the number of missing bonds. BITS: probabilities are rounded to
/// the nearest multiple of 2^-32.
struct Acceptance {
  std::uint32_t threshold[most_sums];  ///< probability times 2^32; 0 if it is 1
  std::uint32_t sure[most_sums];       ///< ones: the probability is 1
  std::uint32_t drawn[most_sums];      ///< ones: the probability is neither 0 nor 1
  /// Digit k in all 32 bits; digit 0 has the value 1/2.
  std::uint32_t digit[most_sums][digits];
};

/// @param ratio |J| / k_B T, 0 or more
Acceptance acceptance_of(Rule rule, int axes, double ratio);

}  // namespace larmor::ising
