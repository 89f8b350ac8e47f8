#pragma once
// Geodesics between points on a product of unit spheres, one for each spin, on the host. Sites
// without a spin (zero vectors) do not change.
//
// BITS: sums have blocks of fixed size, for any number of threads.

#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spins {

/// A three-vector for every site of one replica, (3, sites) in storage order.
using SiteVectors = std::vector<double>;

/// sum_i a_i.b_i
double inner_product(const SiteVectors& a, const SiteVectors& b, int threads);
/// Turns every spin of `e` by the angle `length` |p_i| towards p_i.
/// @param p tangent at e
void turn(const SiteVectors& e, const SiteVectors& p, double length, SiteVectors& turned,
          int threads);
/// Tangent vectors at `a` that turn a_i into b_i along the shortest way. Their length is the angle.
/// Antiparallel spins turn about an arbitrary perpendicular axis.
void shortest_turn(const SiteVectors& a, const SiteVectors& b, SiteVectors& p, int threads);

}  // namespace larmor::spins
