#include "larmor/spins/integrators/torques.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/lattice/bonds.hpp"

namespace larmor::spins {
namespace {

/// A neighbour and its vector.
struct Near {
  std::int32_t site;
  Vec3<double> r;
};

std::vector<std::vector<Near>> nearest_neighbours(const lattice::Geometry& geometry) {
  std::vector<std::vector<Near>> near(static_cast<std::size_t>(geometry.sites()));
  const auto add = [&](Index from, Index to, const Vec3<double>& r) {
    if (!geometry.occupied(from) || !geometry.occupied(to)) return;
    near[static_cast<std::size_t>(from)].push_back({static_cast<std::int32_t>(to), r});
    near[static_cast<std::size_t>(to)].push_back({static_cast<std::int32_t>(from), -r});
  };
  if (!geometry.is_lattice()) {
    for (const lattice::PairBond& bond : lattice::pairs_by_shell(geometry, 1, {}))
      add(bond.i, bond.j, bond.r);
    return near;
  }
  for (const lattice::StencilBond& bond : lattice::stencil_by_shell(geometry, 1, {}))
    for (Index cell = 0; cell < geometry.cells(); ++cell) {
      const Index site = cell * static_cast<Index>(geometry.crystal.basis.size()) + bond.from;
      const Index other = lattice::neighbour(geometry, site, bond);
      if (other >= 0) add(site, other, bond.r);
    }
  return near;
}

/// Weights w_j of  (u.grad) e = sum_j w_j (e_j - e_i)  that fit a linear texture best.
std::vector<double> least_squares_weights(const std::vector<Near>& near, const Vec3<double>& u) {
  Eigen::Matrix3d moments = Eigen::Matrix3d::Zero();
  for (const Near& n : near) {
    const Eigen::Vector3d r(n.r.x, n.r.y, n.r.z);
    moments += r * r.transpose();
  }
  const Eigen::Vector3d direction =
      moments.completeOrthogonalDecomposition().solve(Eigen::Vector3d(u.x, u.y, u.z));
  std::vector<double> weights;
  for (const Near& n : near)
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

DirectionalDerivative::DirectionalDerivative(const Device& device,
                                             const lattice::Geometry& geometry, const Model& model,
                                             const Vec3<double>& velocity, double scale) {
  require_neighbours_along(geometry, velocity);
  const auto near = nearest_neighbours(geometry);
  for (const auto& of_site : near) slots_ = std::max(slots_, static_cast<int>(of_site.size()) + 1);
  const std::vector<std::int32_t>& canonical = model.canonical();
  std::vector<std::int32_t> storage(near.size());
  for (std::size_t position = 0; position < near.size(); ++position)
    storage[static_cast<std::size_t>(canonical[position])] = static_cast<std::int32_t>(position);

  const auto sites = static_cast<Index>(canonical.size());
  std::vector<std::int32_t> neighbour(static_cast<std::size_t>(sites * slots_));
  for (Index position = 0; position < sites; ++position) {
    const auto site = static_cast<std::size_t>(canonical[static_cast<std::size_t>(position)]);
    for (int slot = 0; slot < slots_; ++slot) {
      const bool used = slot < static_cast<int>(near[site].size());
      const auto other =
          used ? static_cast<std::size_t>(near[site][static_cast<std::size_t>(slot)].site) : site;
      neighbour[static_cast<std::size_t>(((position / lane_count) * slots_ + slot) * lane_count +
                                         position % lane_count)] = storage[other];
    }
  }
  neighbour_ = Array<std::int32_t>(device, neighbour);
  weights_ = model.rows_by_site(slots_, [&](Index site) {
    const auto& of_site = near[static_cast<std::size_t>(site)];
    std::vector<double> row = least_squares_weights(of_site, velocity);
    double self = 0;
    for (double& w : row) {
      w *= scale;
      self -= w;
    }
    // The last slots are the site itself; one of them carries the rest.
    row.resize(static_cast<std::size_t>(slots_));
    row.back() = self;
    return row;
  });
}

ModelView DirectionalDerivative::view(const SpinLayout& layout) const {
  ModelView view;
  view.neighbour = neighbour_.data();
  view.slots = slots_;
  view.bonds = weights_.table();
  view.layout = layout;
  return view;
}

}  // namespace larmor::spins
