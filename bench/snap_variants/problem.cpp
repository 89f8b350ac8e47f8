#include "bench/snap_variants/problem.hpp"

#include <algorithm>

#include "larmor/atoms/potentials/snap/energy_function.hpp"
#include "larmor/atoms/potentials/snap/pair_shapes.hpp"

namespace larmor::bench {
namespace {

using namespace larmor::atoms;
using namespace larmor::atoms::snap;

std::size_t at(Index n) { return static_cast<std::size_t>(n); }

/// Copies a table and returns its address.
template <class T>
const T* copied(Array<T>& array, const Device& device, const std::vector<T>& host) {
  array = Array<T>(device, host);
  return array.data();
}

template <class T>
const T* copied(Array<T>& array, const Device& device, const T* host, std::size_t count) {
  return copied(array, device, std::vector<T>(host, host + count));
}

}  // namespace

SnapVariantProblem::SnapVariantProblem(const Device& device, const SnapPotential& potential,
                                       const NeighbourRows& rows, bool atom_fastest)
    : device_(device) {
  const SnapTables tables(potential.parameters.twojmax);
  const EnergyFunction energy(potential, tables);
  const PairShape<double> shape = pair_shape(potential, 0, 0);
  view_.atoms = rows.atoms();
  view_.atom_fastest = atom_fastest;
  view_.rule = rotation_rule(potential.parameters);
  view_.cutoff = shape.cutoff;
  view_.weight = shape.weight;
  view_.coefficient = copied(product_, device, energy.of_products(energy.linear(0)));
  const std::span<const double> beta = energy.linear(0);
  view_.beta = copied(beta_, device, beta.data(), beta.size());
  lay_out(rows);
  list_products(tables);
  share_components(tables, potential.parameters.bnormflag);
  copy_tables(tables);
}

void SnapVariantProblem::lay_out(const NeighbourRows& rows) {
  const auto row_length = [&](Index atom) {
    return rows.first[at(atom + 1)] - rows.first[at(atom)];
  };
  std::vector<std::int32_t> count;
  for (Index atom = 0; atom < view_.atoms; ++atom)
    count.push_back(static_cast<std::int32_t>(row_length(atom)));
  view_.slots = count.empty() ? 0 : *std::max_element(count.begin(), count.end());
  const Index pairs = view_.atoms * view_.slots;
  std::vector<double> displacement(at(3 * pairs));
  std::vector<std::int32_t> neighbour(at(pairs)), mirror(at(pairs));
  const VariantArray<double> of_displacement = placed(displacement.data(), view_.slots, 3);
  const VariantArray<std::int32_t> of_neighbour = placed(neighbour.data(), view_.slots, 1),
                                   of_mirror = placed(mirror.data(), view_.slots, 1);
  for (Index atom = 0; atom < view_.atoms; ++atom)
    for (Index slot = 0; slot < row_length(atom); ++slot) {
      const std::size_t n = at(rows.first[at(atom)] + slot);
      const Vec3<double>& r = rows.displacement[n];
      const Strided<double> d = of_displacement.at(atom, slot);
      d[0] = r.x;
      d[1] = r.y;
      d[2] = r.z;
      const std::int32_t other = rows.neighbour[n];
      of_neighbour.at(atom, slot)[0] = other;
      of_mirror.at(atom, slot)[0] =
          static_cast<std::int32_t>(rows.mirror[n] - rows.first[at(other)]);
    }
  view_.count = copied(count_, device_, count);
  view_.displacement = placed(copied(displacement_, device_, displacement), view_.slots, 3);
  view_.neighbour = placed(copied(neighbour_, device_, neighbour), view_.slots, 1);
  view_.mirror = placed(copied(mirror_, device_, mirror), view_.slots, 1);
}

void SnapVariantProblem::list_products(const SnapTables& tables) {
  std::vector<ProductEntry> entry;
  std::vector<int> first;
  const auto small = [](int n) { return static_cast<std::int16_t>(n); };
  for (const auto& [j1, j2, j] : tables.triples()) {
    const int triple = static_cast<int>(first.size());
    first.push_back(static_cast<int>(entry.size()));
    for (int mb = 0; 2 * mb <= j; ++mb)
      for (int ma = 0; ma <= (2 * mb == j ? mb : j); ++ma)
        entry.push_back({small(j1), small(j2), small(j), small(mb), small(ma), small(triple)});
  }
  std::vector<HalfPlace> place;
  for (int mb = 0; 2 * mb <= tables.twojmax(); ++mb)
    for (int j = 2 * mb; j <= tables.twojmax(); ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma) {
        const int start = tables.view().layer_start[j];
        place.push_back(
            {start + mb * (j + 1) + ma, start + (j - mb) * (j + 1) + j - ma, (ma + mb) % 2 != 0});
      }
  view_.entries = static_cast<int>(entry.size());
  view_.entry = copied(entry_, device_, entry);
  view_.first_entry = copied(first_entry_, device_, first);
  view_.place = copied(place_, device_, place);
}

void SnapVariantProblem::share_components(const SnapTables& tables, bool normalised) {
  std::vector<ComponentShares> shares;
  for (const auto& [j1, j2, j] : tables.components()) {
    const double scale = normalised ? 1 / (j + 1.0) : 1;
    shares.push_back(
        {{tables.triple(j1, j2, j), tables.triple(j, j2, j1), tables.triple(j, j1, j2)},
         {j, j1, j2},
         {scale, scale * (j + 1) / (j1 + 1), scale * (j + 1) / (j2 + 1)}});
  }
  view_.shares = copied(shares_, device_, shares);
}

void SnapVariantProblem::copy_tables(const SnapTables& tables) {
  const SnapTablesView& host = tables.view();
  const auto pairs = at(host.pairs);
  const auto coefficients = at(host.coefficients);
  view_.tables = host;
  view_.tables.pair_j1 = copied(pair_j1_, device_, host.pair_j1, pairs);
  view_.tables.pair_j2 = copied(pair_j2_, device_, host.pair_j2, pairs);
  view_.tables.pair_block = copied(pair_block_, device_, host.pair_block, pairs);
  view_.tables.pair_triple = copied(pair_triple_, device_, host.pair_triple, pairs);
  view_.tables.block = copied(block_, device_, host.block, at(host.blocks));
  view_.tables.coefficient = copied(coefficient_, device_, host.coefficient, coefficients);
  view_.tables.coefficient_of_half =
      copied(coefficient_of_half_, device_, host.coefficient_of_half, coefficients);
  view_.tables.norm = copied(norm_, device_, host.norm, at(host.half));
  view_.tables.component = copied(component_, device_, host.component, at(host.triples));
}

}  // namespace larmor::bench
