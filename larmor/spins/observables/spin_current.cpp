#include "larmor/spins/observables/spin_current.hpp"

#include "larmor/core/device/profile.hpp"
#include "larmor/spins/hamiltonian/energy_kernels.hpp"

namespace larmor::spins {
namespace {

double along(const Vec3<double>& r, int axis) { return axis == 0 ? r.x : axis == 1 ? r.y : r.z; }

BondEnd weighted_end(Index site, const Mat3<double>& A, double weight) {
  BondEnd end{static_cast<std::int32_t>(site), {}};
  for (const Vec3<double>& row : A.row)
    end.values.insert(end.values.end(), {weight * row.x, weight * row.y, weight * row.z});
  return end;
}

/// Half of r_a A_ij at both ends of every bond, because the sum includes both ends.
std::vector<std::vector<BondEnd>> weighted_bonds(const lattice::Geometry& geometry,
                                                 const std::vector<LoweredTerm>& terms, int axis) {
  std::vector<std::vector<BondEnd>> ends(static_cast<std::size_t>(geometry.sites()));
  const auto add = [&](Index i, Index j, const Vec3<double>& r, const Mat3<double>& A) {
    const double weight = 0.5 * along(r, axis);
    if (weight == 0 || A == Mat3<double>{}) return;
    ends[static_cast<std::size_t>(i)].push_back(weighted_end(j, A, weight));
    ends[static_cast<std::size_t>(j)].push_back(weighted_end(i, A.transposed(), -weight));
  };
  const auto atoms = static_cast<Index>(geometry.crystal.basis.size());
  for (const LoweredTerm& term : terms) {
    for (const StencilCoupling& c : term.stencil)
      for (Index site = c.bond.from; site < geometry.sites(); site += atoms)
        if (const Index other = lattice::neighbour(geometry, site, c.bond); other >= 0)
          add(site, other, c.bond.r, c.bilinear);
    for (const PairCoupling& c : term.pairs) add(c.bond.i, c.bond.j, c.bond.r, c.bilinear);
  }
  return ends;
}

}  // namespace

SpinCurrent::SpinCurrent(const Device& device, const lattice::Geometry& geometry,
                         const std::vector<LoweredTerm>& terms, const Model& model, int axis)
    : bonds_(device, model, BondClass::tensor, weighted_bonds(geometry, terms, axis)) {}

std::vector<Vec3<double>> SpinCurrent::measure(const SpinState& state) const {
  const Region region("spin currents");
  const SpinLayout& layout = state.layout();
  const std::vector<double> sum =
      energy_kernels(state.device())
          .torque_sum(state.device(), bonds_.view(layout), state.reals())
          .take();
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  const double per_spin = 1 / static_cast<double>(layout.spins());
  std::vector<Vec3<double>> current;
  for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
    current.push_back(per_spin * Vec3<double>{sum[r], sum[padded + r], sum[2 * padded + r]});
  return current;
}

}  // namespace larmor::spins
