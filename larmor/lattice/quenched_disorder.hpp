#pragma once
// Random numbers of frozen disorder. BITS: they are functions of a seed and a site, or a pair of
// sites, equal on all devices and for all orders of sites. If each replica has its own disorder,
// they also depend on the replica. Disorder that all replicas share is the disorder of replica
// 0.

#include <cstdint>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::lattice {

/// Three independent standard normal deviates of a site.
Vec3<double> site_deviates(std::uint64_t seed, Index site, Index replica = 0);

/// A standard normal deviate of a pair, independent of the order of its sites.
double pair_deviate(std::uint64_t seed, Index i, Index j, Index replica = 0);

/// Three independent numbers of a site, uniform in (-1, 1).
Vec3<double> site_uniforms(std::uint64_t seed, Index site, Index replica = 0);

/// A number of a pair, uniform in (-1, 1) and independent of the order of its sites.
double pair_uniform(std::uint64_t seed, Index i, Index j, Index replica = 0);

}  // namespace larmor::lattice
