#include "larmor/spins/integrators/torques.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/lattice/nearest_neighbours.hpp"

namespace larmor::spins {
namespace {

using lattice::NearShell;
using lattice::NearSite;
using lattice::Span;

/// Relative components of the velocity below this value are rounding errors.
constexpr double rounding = 1e-12;

/// The least-squares solution d, in the span of the q, of  sum_j q_j (q_j.d) = u.
Vec3<double> solved(const std::vector<Vec3<double>>& q, const Vec3<double>& u) {
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const Vec3<double>& v : q) {
    const Eigen::Vector3d r(v.x, v.y, v.z);
    moments += r * r.transpose();
  }
  const Eigen::VectorXd d = least_squares(moments, Eigen::Vector3d(u.x, u.y, u.z));
  return {d(0), d(1), d(2)};
}

/// (u.grad) e = sum_j w_j (e_j - e_i)
struct Derivative {
  struct Share {
    Index site;
    double weight;
  };
  std::vector<Share> shares;  ///< nearer shells first
  Vec3<double> missing;       ///< component of u without neighbours
};

/// The weights w_j of torques.hpp. Shells that u does not need are left out.
Derivative derivative_along(const std::vector<NearShell>& shells, const Vec3<double>& u) {
  std::vector<Span> nearer;  // span of the shells nearer than each shell
  Span span;
  Derivative derivative{{}, u};
  while (nearer.size() < shells.size() && length(derivative.missing) > rounding * length(u)) {
    nearer.push_back(span);
    for (const NearSite& near : shells[nearer.size() - 1]) span.add(near.r);
    derivative.missing = span.outside(u);
  }
  std::vector<std::vector<double>> weights(nearer.size());
  Vec3<double> left = u;
  for (std::size_t n = nearer.size(); n-- > 0;) {
    std::vector<Vec3<double>> outside;
    for (const NearSite& near : shells[n]) outside.push_back(nearer[n].outside(near.r));
    const Vec3<double> d = solved(outside, left);
    for (const Vec3<double>& q : outside) weights[n].push_back(d.x * q.x + d.y * q.y + d.z * q.z);
    for (std::size_t j = 0; j < outside.size(); ++j) left = left - weights[n][j] * shells[n][j].r;
  }
  for (std::size_t n = 0; n < weights.size(); ++n)
    for (std::size_t j = 0; j < weights[n].size(); ++j)
      derivative.shares.push_back({shells[n][j].site, weights[n][j]});
  return derivative;
}

std::string direction_text(const Vec3<double>& v) {
  const auto text = [size = length(v)](double x) {
    const double component = x / size;
    return fmt::format("{:.3g}", std::abs(component) < 1e-3 ? 0 : component);
  };
  return "[" + text(v.x) + ", " + text(v.y) + ", " + text(v.z) + "]";
}

/// @param near neighbours of the geometry
/// @throws InputError if the neighbours of a site do not span u
Derivative derivative_at(Index site, const lattice::Geometry& geometry,
                         const lattice::NearestNeighbours& near, const Vec3<double>& u) {
  Derivative derivative = derivative_along(near.shells_of(site), u);
  if (geometry.occupied(site) && length(derivative.missing) > Span::tolerance * length(u))
    throw InputError("the drift velocity has a part along " + direction_text(derivative.missing) +
                         ", along which site " + std::to_string(site) + " has no neighbours",
                     "give a velocity in directions in which every site has neighbours");
  return derivative;
}

}  // namespace

void require_neighbours_along(const lattice::Geometry& geometry, const Vec3<double>& velocity) {
  const lattice::NearestNeighbours near(geometry);
  for (Index site = 0; site < near.distinct_sites(); ++site)
    derivative_at(site, geometry, near, velocity);
}

double largest_derivative(const lattice::Geometry& geometry, const Vec3<double>& velocity) {
  const lattice::NearestNeighbours near(geometry);
  double largest = 0;
  for (Index site = 0; site < near.distinct_sites(); ++site) {
    double sizes = 0, sum = 0;
    for (const Derivative::Share& share : derivative_at(site, geometry, near, velocity).shares) {
      sizes += std::abs(share.weight);
      sum += share.weight;
    }
    largest = std::max(largest, sizes + std::abs(sum));
  }
  return largest;
}

DerivativeBytes derivative_bytes(const lattice::Geometry& geometry) {
  const auto ends = static_cast<double>(lattice::NearestNeighbours(geometry).most_neighbours() + 1);
  const auto sites = static_cast<double>(geometry.sites());
  // Each site has a list of ends. Each end has a list of one number in its own allocation. If the
  // geometry is not a lattice, the neighbours of all sites are stored too.
  constexpr double of_number = 32;
  double of_site = sizeof(std::vector<BondEnd>) + ends * (sizeof(BondEnd) + of_number);
  if (!geometry.is_lattice())
    of_site += 2 * sizeof(std::vector<NearShell>) + ends * sizeof(NearSite);
  // The table has a neighbour for each end, and a row number for each site.
  const double of_table = 4 * (ends + 1);
  return {(of_site + of_table) * sites, of_table * sites};
}

BondSums directional_derivative(const Device& device, const lattice::Geometry& geometry,
                                const Model& model, const Vec3<double>& velocity, double scale) {
  const lattice::NearestNeighbours near(geometry);
  std::vector<std::vector<BondEnd>> ends;
  for (Index site = 0; site < geometry.sites(); ++site) {
    std::vector<BondEnd>& of_site = ends.emplace_back();
    double self = 0;
    for (const Derivative::Share& share : derivative_at(site, geometry, near, velocity).shares) {
      of_site.push_back({static_cast<std::int32_t>(share.site), {scale * share.weight}});
      self -= scale * share.weight;
    }
    of_site.push_back({static_cast<std::int32_t>(site), {self}});
  }
  return BondSums(device, model, BondClass::scalar, ends);
}

}  // namespace larmor::spins
