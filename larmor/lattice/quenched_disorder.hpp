#pragma once
// Normal deviates of frozen disorder. BITS: functions of a seed and of a site, or a pair of sites,
// the same for all devices and orders of sites; and of a replica, where each has disorder of its
// own. Disorder that all replicas share is that of replica 0.

#include <cstdint>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// Three independent standard normal deviates of a site.
Vec3<double> site_deviates(std::uint64_t seed, Index site, Index replica = 0);

/// A standard normal deviate of a pair, the same either way round.
double pair_deviate(std::uint64_t seed, Index i, Index j, Index replica = 0);

}  // namespace larmor::lattice
