#pragma once
// Normal deviates of frozen disorder: functions of a seed and of a site, or a pair of sites, hence
// the same for all replicas, devices and orders of sites.

#include <cstdint>

#include "larmor/core/types.hpp"
#include "larmor/core/vec3.hpp"

namespace larmor::spins {

/// Three independent standard normal deviates of a site.
Vec3<double> site_deviates(std::uint64_t seed, Index site);

/// A standard normal deviate of a pair, the same either way round.
double pair_deviate(std::uint64_t seed, Index i, Index j);

}  // namespace larmor::spins
