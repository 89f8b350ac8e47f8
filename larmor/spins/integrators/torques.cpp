#include "larmor/spins/integrators/torques.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/lattice/nearest_neighbours.hpp"

namespace larmor::spins {
namespace {

/// Weights w_j of  (u.grad) e = sum_j w_j (e_j - e_i)  that fit a linear texture best.
std::vector<double> least_squares_weights(const std::vector<lattice::NearSite>& near,
                                          const Vec3<double>& u) {
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const lattice::NearSite& n : near) {
    const Eigen::Vector3d r(n.r.x, n.r.y, n.r.z);
    moments += r * r.transpose();
  }
  const Eigen::Vector3d direction =
      moments.completeOrthogonalDecomposition().solve(Eigen::Vector3d(u.x, u.y, u.z));
  std::vector<double> weights;
  for (const lattice::NearSite& n : near)
    weights.push_back(direction.x() * n.r.x + direction.y() * n.r.y + direction.z() * n.r.z);
  return weights;
}

}  // namespace

void require_neighbours_along(const lattice::Geometry& geometry, const Vec3<double>& velocity) {
  const auto along = [&](const Vec3<double>& r) {
    return std::abs(dot(velocity, r)) > 1e-9 * length(velocity) * length(r);
  };
  bool found = false;
  if (geometry.is_lattice()) {
    for (const lattice::StencilBond& bond : lattice::stencil_by_shell(geometry, 1, {}))
      found = found || (along(bond.r) && lattice::fits(geometry, bond));
  } else {
    for (const lattice::PairBond& bond : lattice::pairs_by_shell(geometry, 1, {}))
      found = found || along(bond.r);
  }
  if (!found)
    throw InputError("no two nearest neighbours lie along the drift velocity",
                     "give a velocity along the lattice");
}

DerivativeBytes derivative_bytes(const lattice::Geometry& geometry) {
  const auto ends = static_cast<double>(lattice::NearestNeighbours(geometry).most() + 1);
  const auto sites = static_cast<double>(geometry.sites());
  // A list of ends, each with a list of its one number in memory of its own; neighbours are known
  // beforehand where they are not those of a cell.
  constexpr double of_number = 32;
  double of_site = sizeof(std::vector<BondEnd>) + ends * (sizeof(BondEnd) + of_number);
  if (!geometry.is_lattice())
    of_site += sizeof(std::vector<lattice::NearSite>) + ends * sizeof(lattice::NearSite);
  // A neighbour a slot, and the number of a row of weights.
  const double of_table = 4 * (ends + 1);
  return {(of_site + of_table) * sites, of_table * sites};
}

BondSums directional_derivative(const Device& device, const lattice::Geometry& geometry,
                                const Model& model, const Vec3<double>& velocity, double scale) {
  require_neighbours_along(geometry, velocity);
  const lattice::NearestNeighbours nearest(geometry);
  std::vector<std::vector<BondEnd>> ends;
  for (Index site = 0; site < geometry.sites(); ++site) {
    const std::vector<lattice::NearSite> near = nearest.of(site);
    const std::vector<double> weights = least_squares_weights(near, velocity);
    std::vector<BondEnd>& of_site = ends.emplace_back();
    double self = 0;
    for (std::size_t n = 0; n < near.size(); ++n) {
      of_site.push_back({static_cast<std::int32_t>(near[n].site), {scale * weights[n]}});
      self -= scale * weights[n];
    }
    of_site.push_back({static_cast<std::int32_t>(site), {self}});
  }
  return BondSums(device, model, BondClass::scalar, ends);
}

}  // namespace larmor::spins
