#pragma once
// The random numbers of stochastic cell rescaling.

#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

/// A symmetric matrix of normal deviates. Its weight exp(-tr X^2 / 2) is invariant under rotations.
LARMOR_INLINE Mat3<double> symmetric_noise(const RandomKey& key, std::uint64_t replica) {
  const Vec3<double> d = normal_vector<double>(philox(key, std::uint64_t{0}, replica, 0));
  const double half = 0.70710678118654752;
  const Vec3<double> o = half * normal_vector<double>(philox(key, std::uint64_t{0}, replica, 1));
  return {{{d.x, o.x, o.y}, {o.x, d.y, o.z}, {o.y, o.z, d.z}}};
}

}  // namespace larmor::atoms
