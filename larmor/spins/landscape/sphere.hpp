#pragma once
// Many spins as one point on a product of unit spheres: geodesics from it, and tangent vectors
// carried along them. Sites without a spin (zero vectors) stay as they are.
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
/// y += factor x
void add_scaled(double factor, const SiteVectors& x, SiteVectors& y, int threads);
/// Length of the longest of the vectors.
double largest_length(const SiteVectors& v, int threads);

/// The spins `e` after every one has turned by the angle `length` |p_i| towards p_i.
/// @param p tangent at e
void turn(const SiteVectors& e, const SiteVectors& p, double length, SiteVectors& turned,
          int threads);
/// Tangent vectors at `e` carried along that turn (parallel transport).
void carry(const SiteVectors& e, const SiteVectors& p, double length,
           std::span<SiteVectors* const> vectors, int threads);
/// sum_i g_i.p_i at the end of that turn, the p_i carried along.
double slope_after(const SiteVectors& e, const SiteVectors& p, double length, const SiteVectors& g,
                   int threads);

/// The largest torque |e x h| and the largest field |h|.
struct FieldSize {
  double torque = 0, field = 0;
};
/// g_i = e_i x (e_i x h_i): the gradient of the energy whose field is h = -dH/de.
FieldSize gradient(const SiteVectors& e, const SiteVectors& h, SiteVectors& g, int threads);

/// Tangent vectors at `a` that turn a_i into b_i by the shortest way; their length is the angle.
/// Antiparallel spins turn about some axis across them.
void shortest_turn(const SiteVectors& a, const SiteVectors& b, SiteVectors& p, int threads);

}  // namespace larmor::spins
