#include "larmor/study/kinds/discrete/discrete_bonds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/ising/potts/whole_numbers.hpp"

namespace larmor::study {
namespace {

/// No normal deviate of 52 random bits is larger.
constexpr double largest_deviate = 9;

constexpr const char* add_coupling = "add `J = ...`: J > 0 is ferromagnetic";

lattice::SelectedBonds selected(const DiscreteTables& tables, const ScalarExchange& exchange,
                                const lattice::Geometry& geometry) {
  return term_located(tables.lattice, exchange, [&] {
    return lattice::select_bonds(exchange, ScalarExchange::name, geometry);
  });
}

/// The axis that an offset is one step along; -1: none.
int axis_of(const std::array<int, 3>& offset) {
  int axis = -1;
  for (int a = 0; a < 3; ++a) {
    const int step = offset[static_cast<std::size_t>(a)];
    if (step == 0) continue;
    if (axis >= 0 || std::abs(step) != 1) return -1;
    axis = a;
  }
  return axis;
}

/// The sample that a replica is of.
Index sample_of(const ScalarExchange& exchange, Index replica) {
  return exchange.disorder_by_replica ? replica : 0;
}

double coupling(const ScalarExchange& exchange, Index i, Index j, Index replica) {
  if (exchange.disorder == 0) return *exchange.J;
  return *exchange.J + exchange.deviation(i, j, sample_of(exchange, replica));
}

std::vector<double> couplings_of_axes(const std::vector<const ScalarExchange*>& of_axes,
                                      const DiscreteSites& sites, Index first_replica,
                                      Index samples) {
  std::vector<double> couplings;
  couplings.reserve(static_cast<std::size_t>(samples * std::ssize(of_axes) * sites.count));
  for (Index sample = 0; sample < samples; ++sample) {
    Index stride = 1;
    for (std::size_t axis = 0; axis < of_axes.size(); ++axis) {
      const Index length = sites.grid.lengths[axis];
      for (Index site = 0; site < sites.count; ++site) {
        const Index x = site / stride % length;
        const Index next = site + ((x + 1) % length - x) * stride;
        const bool is_there = length > 1 && (sites.grid.periodic[axis] || x + 1 < length);
        couplings.push_back(is_there ? coupling(*of_axes[axis], site, next, first_replica + sample)
                                     : 0);
      }
      stride *= length;
    }
  }
  return couplings;
}

}  // namespace

void check_bonds(const DiscreteTables& tables, const DiscreteSites& sites) {
  for (const ScalarExchange& exchange : tables.exchange) {
    if (tables.lattice.sites && exchange.pairs.empty())
      throw InputError("a graph of sites knows no distances",
                       exchange.where.of({"shell", "offset"}), "give pairs = [[0, 1], ..]");
    term_located(tables.lattice, exchange, [&] { exchange.require_coupling(add_coupling); });
    selected(tables, exchange, *sites.geometry);
  }
}

double count_bonds(const DiscreteTables& tables, const DiscreteSites& sites) {
  double bonds = 0;
  for (const ScalarExchange& exchange : tables.exchange) {
    bonds += static_cast<double>(exchange.pairs.size());
    if (!exchange.pairs.empty()) continue;
    const lattice::SelectedBonds of_table = selected(tables, exchange, *sites.geometry);
    bonds +=
        static_cast<double>(of_table.pairs.size()) +
        static_cast<double>(of_table.stencil.size()) * static_cast<double>(sites.geometry->cells());
  }
  return bonds;
}

Index most_bonds(const DiscreteTables& tables, const DiscreteSites& sites) {
  const lattice::Geometry& geometry = *sites.geometry;
  std::vector<Index> of_atom(geometry.crystal.basis.size());
  std::vector<Index> of_site;
  const auto add = [&](Index i, Index j) {
    of_site.resize(static_cast<std::size_t>(sites.count));
    ++of_site[static_cast<std::size_t>(i)];
    ++of_site[static_cast<std::size_t>(j)];
  };
  for (const ScalarExchange& exchange : tables.exchange) {
    for (const std::array<Index, 2>& pair : exchange.pairs) add(pair[0], pair[1]);
    if (!exchange.pairs.empty()) continue;
    const lattice::SelectedBonds of_table = selected(tables, exchange, geometry);
    for (const lattice::PairBond& pair : of_table.pairs) add(pair.i, pair.j);
    for (const lattice::StencilBond& bond : of_table.stencil) {
      ++of_atom[static_cast<std::size_t>(bond.from)];
      ++of_atom[static_cast<std::size_t>(bond.to)];
    }
  }
  Index most = *std::max_element(of_atom.begin(), of_atom.end());
  for (std::size_t i = 0; i < of_site.size(); ++i)
    most = std::max(
        most, of_site[i] +
                  of_atom[static_cast<std::size_t>(geometry.basis_index(static_cast<Index>(i)))]);
  return most;
}

bool couplings_differ(const DiscreteTables& tables) {
  return std::any_of(tables.exchange.begin(), tables.exchange.end(),
                     [](const ScalarExchange& exchange) { return exchange.disorder_by_replica; });
}

bool couplings_are_rounded(const DiscreteTables& tables) {
  std::vector<double> couplings;
  for (const ScalarExchange& exchange : tables.exchange) {
    if (exchange.disorder > 0 && exchange.disorder_distribution == "normal") return true;
    for (const double sign : {-1.0, 1.0})
      couplings.push_back(*exchange.J + sign * exchange.disorder);
  }
  std::vector<double> numbers = couplings;
  numbers.push_back(tables.field.h);
  const double quantum = ising::quantum_of(numbers);
  return std::any_of(couplings.begin(), couplings.end(), [&](double J) {
    return std::abs(ising::in_quanta(J, quantum)) > ising::most_multiple;
  });
}

double least_coupling(const ScalarExchange& exchange) {
  if (exchange.disorder > 0 && exchange.disorder_distribution == "normal")
    return -std::numeric_limits<double>::infinity();
  return *exchange.J - exchange.disorder;
}

std::vector<const ScalarExchange*> exchange_of_axes(const DiscreteTables& tables,
                                                    const DiscreteSites& sites) {
  if (!sites.is_grid()) return {};
  std::vector<const ScalarExchange*> of_axes(sites.grid.lengths.size());
  for (const ScalarExchange& exchange : tables.exchange) {
    if (!exchange.pairs.empty()) return {};
    const lattice::SelectedBonds of_table = selected(tables, exchange, *sites.geometry);
    if (!of_table.pairs.empty()) return {};
    for (const lattice::StencilBond& bond : of_table.stencil) {
      const int axis = axis_of(bond.offset);
      if (axis < 0 || of_axes[static_cast<std::size_t>(axis)] != nullptr) return {};
      of_axes[static_cast<std::size_t>(axis)] = &exchange;
    }
  }
  for (const ScalarExchange* const exchange : of_axes)
    if (exchange == nullptr) return {};
  return of_axes;
}

bool is_uniform(const std::vector<const ScalarExchange*>& of_axes) {
  return std::all_of(of_axes.begin(), of_axes.end(), [&](const ScalarExchange* exchange) {
    return exchange->disorder == 0 && *exchange->J == *of_axes.front()->J;
  });
}

ising::PottsDefinition potts_definition(const DiscreteTables& tables, const DiscreteSites& sites) {
  const lattice::Geometry& geometry = *sites.geometry;
  ising::PottsDefinition definition;
  definition.sites = sites.count;
  definition.ising = tables.is_ising();
  definition.states = static_cast<int>(tables.states());
  definition.field = tables.field.h;
  /// The tables whose bonds differ by replica, by their first bond.
  std::vector<std::pair<Index, const ScalarExchange*>> differing;
  for (const ScalarExchange& exchange : tables.exchange) {
    const Index first = std::ssize(definition.bonds);
    const lattice::SelectedBonds of_table =
        pair_by_pair(selected(tables, exchange, geometry), geometry);
    const bool shared = exchange.disorder > 0 && !exchange.disorder_by_replica;
    for (const lattice::PairBond& bond : of_table.pairs)
      definition.bonds.push_back(
          {bond.i, bond.j, *exchange.J + (shared ? exchange.deviation(bond.i, bond.j, 0) : 0)});
    differing.emplace_back(first, exchange.disorder_by_replica ? &exchange : nullptr);
    if (!exchange.disorder_by_replica) continue;
    if (exchange.disorder_distribution == "normal")
      definition.largest =
          std::max(definition.largest, std::abs(*exchange.J) + largest_deviate * exchange.disorder);
    for (const double sign : {-1.0, 1.0})
      definition.values.push_back(*exchange.J + sign * exchange.disorder);
  }
  if (!couplings_differ(tables)) return definition;
  definition.of_replica = [differing, bonds = definition.bonds](Index bond, Index replica) {
    const auto after =
        std::upper_bound(differing.begin(), differing.end(), bond,
                         [](Index n, const auto& of_table) { return n < of_table.first; });
    const ScalarExchange* const exchange = (after - 1)->second;
    if (exchange == nullptr) return 0.0;
    const ising::Bond& of = bonds[static_cast<std::size_t>(bond)];
    return exchange->deviation(of.i, of.j, replica);
  };
  return definition;
}

ising::ClusterGraph cluster_graph(const DiscreteTables& tables, const DiscreteSites& sites,
                                  const ReplicaShare& replicas) {
  const auto model = tables.is_ising() ? ising::StateModel::ising : ising::StateModel::potts;
  const auto states = static_cast<int>(tables.states());
  const Index samples = couplings_differ(tables) ? replicas.count : 1;
  const std::vector<const ScalarExchange*> of_axes = exchange_of_axes(tables, sites);
  if (!of_axes.empty()) {
    if (is_uniform(of_axes)) {
      const std::vector<double> J{*of_axes.front()->J};
      return ising::ClusterGraph::on_grid(model, states, sites.grid, J);
    }
    return ising::ClusterGraph::on_grid(model, states, sites.grid,
                                        couplings_of_axes(of_axes, sites, replicas.first, samples),
                                        samples);
  }
  const ising::PottsDefinition definition = potts_definition(tables, sites);
  std::vector<ising::GraphBond> bonds;
  bonds.reserve(definition.bonds.size());
  for (const ising::Bond& bond : definition.bonds) bonds.push_back({bond.i, bond.j, bond.J});
  std::vector<double> of_samples;
  if (definition.of_replica)
    for (Index sample = 0; sample < samples; ++sample)
      for (std::size_t n = 0; n < bonds.size(); ++n)
        of_samples.push_back(bonds[n].coupling +
                             definition.of_replica(static_cast<Index>(n), replicas.first + sample));
  return ising::ClusterGraph::of_bonds(model, states, sites.count, bonds, of_samples);
}

}  // namespace larmor::study
