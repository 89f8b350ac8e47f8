#pragma once
// An initial path between states, along which every spin turns the shortest way.

#include <optional>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

/// Geodesic distance, the root of the sum of the squared angles.
double distance(const SiteVectors& a, const SiteVectors& b, int threads);

/// A path of `images` states that passes all `stops` in order. Its states are evenly spaced in
/// geodesic distance. Spins that turn by 180 degrees turn about `axis`. If `axis` is not given, all
/// these spins turn about one axis, perpendicular to the first of these spins.
/// @throws InputError if all stops are equal
std::vector<SiteVectors> geodesic_path(const std::vector<SiteVectors>& stops, Index images,
                                       const std::optional<Vec3<double>>& axis);

/// The states of a path with more states between them, so that neighbours are at most
/// `max_distance` apart. The new states in a gap are evenly spaced. If `max_images` limits their
/// number, the widest gaps are divided first.
std::vector<SiteVectors> divided_path(const std::vector<SiteVectors>& path, double max_distance,
                                      Index max_images);

/// The largest angle between the spins of two states at a site.
double largest_turn(const SiteVectors& a, const SiteVectors& b);
/// The sum of the angles between the spins of two states over all sites.
double sum_of_turns(const SiteVectors& a, const SiteVectors& b);

}  // namespace larmor::spins
