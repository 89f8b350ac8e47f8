#pragma once
// An initial path between states: every spin turns along the shortest way.

#include <optional>
#include <vector>

#include "larmor/core/maths/vec3.hpp"
#include "larmor/spins/landscape/sphere.hpp"

namespace larmor::spins {

/// Geodesic distance, the root of the sum of the squared angles.
double distance(const SiteVectors& a, const SiteVectors& b, int threads);

/// `images` states from the first of `stops` through the others to the last, evenly spaced in
/// geodesic distance. Spins that turn by 180 degrees turn about `axis`. Without `axis`, all turn
/// about one axis perpendicular to the first of them.
/// @throws InputError if all stops are equal
std::vector<SiteVectors> geodesic_path(const std::vector<SiteVectors>& stops, Index images,
                                       const std::optional<Vec3<double>>& axis);

/// The states of a path, with others evenly spaced between states further apart than
/// `max_distance`. The widest gaps come first if `max_images` limits the number.
std::vector<SiteVectors> divided_path(const std::vector<SiteVectors>& path, double max_distance,
                                      Index max_images);

/// The largest angle between the spins of two states at a site.
double largest_turn(const SiteVectors& a, const SiteVectors& b);
/// The sum of the angles between the spins of two states over all sites.
double sum_of_turns(const SiteVectors& a, const SiteVectors& b);

}  // namespace larmor::spins
