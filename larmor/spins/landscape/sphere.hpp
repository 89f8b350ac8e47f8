#pragma once
// Many spins as one point on a product of unit spheres, on the host: geodesics between such points.
// Sites without a spin (zero vectors) stay as they are.
//
// BITS: sums are cut at fixed places, whatever the number of threads.

#include <span>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::spins {

/// A three-vector for every site of one replica, (3, sites) in storage order.
using SiteVectors = std::vector<double>;

/// sum_i a_i.b_i
double inner_product(const SiteVectors& a, const SiteVectors& b, int threads);
/// The spins `e` after every one has turned by the angle `length` |p_i| towards p_i.
/// @param p tangent at e
void turn(const SiteVectors& e, const SiteVectors& p, double length, SiteVectors& turned,
          int threads);
/// Tangent vectors at `a` that turn a_i into b_i by the shortest way; their length is the angle.
/// Antiparallel spins turn about some axis across them.
void shortest_turn(const SiteVectors& a, const SiteVectors& b, SiteVectors& p, int threads);

}  // namespace larmor::spins
