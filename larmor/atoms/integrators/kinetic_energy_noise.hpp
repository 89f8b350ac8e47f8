#pragma once
// The random factor that velocity rescaling applies to velocities.

#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

/// A standard normal deviate for each block of random numbers.
LARMOR_INLINE double normal_of_block(const RandomKey& key, std::uint64_t replica,
                                     std::uint32_t block) {
  return normal_vector<double>(philox(key, std::uint64_t{0}, replica, block)).x;
}

/// A deviate of the gamma distribution x^(shape - 1) exp(-x) with shape >= 1, by G. Marsaglia and
/// W. W. Tsang, ACM Trans. Math. Softw. 26, 363 (2000). At least 95 of 100 trials are accepted.
/// @param block first block of random numbers; each trial uses two blocks
LARMOR_INLINE double gamma_deviate(double shape, const RandomKey& key, std::uint64_t replica,
                                   std::uint32_t block) {
  const double d = shape - 1.0 / 3, c = 1 / square_root(9 * d);
  for (;; block += 2) {
    const double x = normal_of_block(key, replica, block);
    const double root = 1 + c * x;
    if (!(root > 0)) continue;
    const double v = root * root * root;
    const auto random = philox(key, std::uint64_t{0}, replica, block + 1);
    const double u = uniform_52<double>(random.w[0], random.w[1]);
    if (logarithm(u) < 0.5 * x * x + d - d * v + d * logarithm(v)) return d * v;
  }
}

/// The factor for the velocities.
/// @param kinetic K > 0 @param wanted K0 @param freedom n >= 3 @param kept exp(-timestep / tau)
LARMOR_INLINE double rescaling(double kinetic, double wanted, double freedom, double kept,
                               const RandomKey& key, std::uint64_t replica) {
  const double first = normal_of_block(key, replica, 0);
  // The sum of the squares of the n - 1 other deviates.
  const double others = 2 * gamma_deviate((freedom - 1) / 2, key, replica, 1);
  const double share = (1 - kept) * wanted / (freedom * kinetic);
  const double root = square_root(kept) + square_root(share) * first;
  const double scale = square_root(root * root + share * others);
  // Their eq. A8: the first of n deviates is along the current velocities.
  return root < 0 ? -scale : scale;
}

}  // namespace larmor::atoms
