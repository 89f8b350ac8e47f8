#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/io/graphs/edge_list.hpp"
#include "larmor/ising/multispin/grid/bit_lattice.hpp"
#include "larmor/ising/multispin/grid/bond_signs.hpp"
#include "larmor/ising/potts/potts_model.hpp"

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

/// The axis along which an offset is one step; -1: none.
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

/// Reads the file of a table. @throws InputError for keys that exclude a file
void list_bonds(const DiscreteTables& tables, const ScalarExchange& exchange, Index sites) {
  if (exchange.shell || !exchange.offset.empty() || !exchange.pairs.empty() || exchange.between ||
      exchange.all_pairs)
    throw InputError("exchange names its bonds in several ways", exchange.where.of("file"),
                     "give one of file, shell, offset and pairs");
  if (exchange.disorder > 0 || exchange.disorder_by_replica)
    throw InputError("exchange has both file and disorder", exchange.where.of("disorder"),
                     "write the couplings of a sample into the file");
  exchange.listed = with_position(exchange.where.of("file"), [&] {
    return std::make_shared<const std::vector<lattice::CoupledPair>>(
        io::read_edge_list(path_in(tables.folder, *exchange.file), sites, exchange.J));
  });
}

/// Couplings of the bonds of a grid.
class AxisCouplings {
 public:
  AxisCouplings(const DiscreteTables& tables, const DiscreteSites& sites)
      : of_axes_(exchange_of_axes(tables, sites)), grid_(sites.grid), sites_(sites.count) {
    if (has_signs_by_place(tables, sites))
      signs_.emplace(sites.grid.lengths, of_axes_.front()->disorder_seed);
  }

  /// Calls body(axis, site, next site) for each existing bond.
  template <class Body>
  void for_each_bond(const Body& body) const {
    Index stride = 1;
    for (std::size_t axis = 0; axis < grid_.lengths.size(); ++axis) {
      const Index length = grid_.lengths[axis];
      for (Index site = 0; site < sites_; ++site) {
        const Index x = site / stride % length;
        if (length > 1 && (grid_.periodic[axis] || x + 1 < length))
          body(static_cast<int>(axis), site, site + ((x + 1) % length - x) * stride);
      }
      stride *= length;
    }
  }
  const ScalarExchange& exchange(int axis) const {
    return *of_axes_[static_cast<std::size_t>(axis)];
  }
  /// The disorder that is added to J. @param replica of the study
  double deviation(int axis, Index site, Index next, Index replica) const {
    const ScalarExchange& own = exchange(axis);
    if (own.disorder == 0) return 0;
    if (!signs_) return own.deviation(site, next, replica);
    const auto sample = static_cast<std::uint64_t>(own.sample_of(replica));
    return own.disorder * (*signs_)(site, axis, sample);
  }

 private:
  std::vector<const ScalarExchange*> of_axes_;
  ising::RegularGrid grid_;
  Index sites_;
  std::optional<ising::BondSigns> signs_;
};

/// The couplings of the bonds of a grid, (sample, axis, site).
std::vector<double> couplings_of_axes(const AxisCouplings& couplings, const DiscreteSites& sites,
                                      Index first_replica, Index samples) {
  const Index slots = std::ssize(sites.grid.lengths) * sites.count;
  std::vector<double> all(static_cast<std::size_t>(samples * slots));
  for (Index sample = 0; sample < samples; ++sample)
    couplings.for_each_bond([&](int axis, Index site, Index next) {
      all[static_cast<std::size_t>(sample * slots + axis * sites.count + site)] =
          *couplings.exchange(axis).J +
          couplings.deviation(axis, site, next, first_replica + sample);
    });
  return all;
}

/// Adds all possible values of couplings that differ by replica.
void add_values(const ScalarExchange& exchange, ising::PottsDefinition& definition) {
  if (!exchange.disorder_by_replica) return;
  if (exchange.disorder_distribution == "normal")
    definition.largest =
        std::max(definition.largest, std::abs(*exchange.J) + largest_deviate * exchange.disorder);
  if (exchange.disorder_distribution == "uniform")
    definition.largest = std::max(definition.largest, std::abs(*exchange.J) + exchange.disorder);
  for (const double sign : {-1.0, 1.0})
    definition.values.push_back(*exchange.J + sign * exchange.disorder);
}

/// Adds the bonds of a grid, axis by axis.
void add_axis_bonds(const DiscreteTables& tables, const DiscreteSites& sites,
                    ising::PottsDefinition& definition) {
  const AxisCouplings couplings(tables, sites);
  std::vector<std::uint8_t> axis_of_bond;
  couplings.for_each_bond([&](int axis, Index site, Index next) {
    const ScalarExchange& exchange = couplings.exchange(axis);
    const double shared =
        exchange.disorder_by_replica ? 0 : couplings.deviation(axis, site, next, 0);
    definition.bonds.push_back({site, next, *exchange.J + shared});
    axis_of_bond.push_back(static_cast<std::uint8_t>(axis));
  });
  if (!couplings_differ(tables)) return;
  definition.of_replica = [couplings, axis_of_bond, bonds = definition.bonds](Index bond,
                                                                              Index replica) {
    const int axis = axis_of_bond[static_cast<std::size_t>(bond)];
    const lattice::CoupledPair& ends = bonds[static_cast<std::size_t>(bond)];
    if (!couplings.exchange(axis).disorder_by_replica) return 0.0;
    return couplings.deviation(axis, ends.i, ends.j, replica);
  };
}

/// Adds the bonds of any lattice or graph, table by table.
void add_selected_bonds(const DiscreteTables& tables, const lattice::Geometry& geometry,
                        ising::PottsDefinition& definition) {
  /// The tables whose bonds differ by replica, by their first bond.
  std::vector<std::pair<Index, const ScalarExchange*>> differing;
  for (const ScalarExchange& exchange : tables.exchange) {
    const Index first = std::ssize(definition.bonds);
    if (exchange.file) {
      definition.bonds.insert(definition.bonds.end(), exchange.listed->begin(),
                              exchange.listed->end());
      differing.emplace_back(first, nullptr);
      continue;
    }
    const lattice::SelectedBonds of_table =
        pair_by_pair(selected(tables, exchange, geometry), geometry);
    const bool shared = exchange.disorder > 0 && !exchange.disorder_by_replica;
    for (const lattice::PairBond& bond : of_table.pairs)
      definition.bonds.push_back(
          {bond.i, bond.j, *exchange.J + (shared ? exchange.deviation(bond.i, bond.j, 0) : 0)});
    differing.emplace_back(first, exchange.disorder_by_replica ? &exchange : nullptr);
  }
  if (!couplings_differ(tables)) return;
  definition.of_replica = [differing, bonds = definition.bonds](Index bond, Index replica) {
    const auto after =
        std::upper_bound(differing.begin(), differing.end(), bond,
                         [](Index n, const auto& of_table) { return n < of_table.first; });
    const ScalarExchange* const exchange = (after - 1)->second;
    if (exchange == nullptr) return 0.0;
    const lattice::CoupledPair& ends = bonds[static_cast<std::size_t>(bond)];
    return exchange->deviation(ends.i, ends.j, replica);
  };
}

/// @throws InputError for bonds that a grid without positions cannot have
void check_four_axes(const DiscreteTables& tables, const ScalarExchange& exchange,
                     const ising::RegularGrid& grid) {
  if (exchange.shell != Index{1} || exchange.between || !exchange.offset.empty() ||
      !exchange.pairs.empty() || exchange.file || exchange.all_pairs || tables.exchange.size() > 1)
    throw InputError("a grid of four axes has only bonds of nearest neighbours",
                     exchange.where.of({"file", "offset", "pairs", "between", "shell"}),
                     "give one [[exchange]] with shell = 1");
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis)
    if (grid.lengths[axis] == 1 && grid.periodic[axis])
      throw InputError(
          "a bond reaches around the periodic grid to the site itself",
          tables.lattice.where.of("grid"),
          "give at least 2 sites along every axis, or set periodic to false for this axis");
}

}  // namespace

void check_bonds(const DiscreteTables& tables, const DiscreteSites& sites) {
  for (const ScalarExchange& exchange : tables.exchange) {
    if (!sites.geometry) {
      check_four_axes(tables, exchange, sites.grid);
    } else if (exchange.file) {
      if (exchange.listed == nullptr) list_bonds(tables, exchange, sites.count);
      continue;
    } else if (tables.lattice.sites && exchange.pairs.empty() && !exchange.all_pairs) {
      throw InputError("a graph of sites has no distances", exchange.where.of({"shell", "offset"}),
                       "give pairs = [[0, 1], ..], all_pairs = true, or a file of bonds");
    }
    term_located(tables.lattice, exchange, [&] { exchange.require_coupling(add_coupling); });
    if (sites.geometry) selected(tables, exchange, *sites.geometry);
  }
}

void check_fields(const DiscreteTables& tables, const DiscreteSites& sites) {
  const ScalarFieldTable& field = tables.field;
  if (field.h_by_site.empty()) return;
  if (field.h != 0)
    throw InputError("field has both h and h_by_site", field.where.of("h_by_site"),
                     "leave out one of them");
  if (std::ssize(field.h_by_site) != sites.count)
    throw InputError(
        fmt::format("h_by_site has {} numbers for {} sites", field.h_by_site.size(), sites.count),
        field.where.of("h_by_site"), "give one for each site");
}

std::vector<double> site_fields(const DiscreteTables& tables, const DiscreteSites& sites) {
  check_fields(tables, sites);
  if (!tables.field.h_by_site.empty()) return tables.field.h_by_site;
  return std::vector<double>(static_cast<std::size_t>(sites.count), tables.field.h);
}

double count_bonds(const DiscreteTables& tables, const DiscreteSites& sites) {
  double bonds = 0;
  for (const ScalarExchange& exchange : tables.exchange) {
    if (exchange.listed != nullptr) bonds += static_cast<double>(exchange.listed->size());
    if (exchange.file) continue;
    if (!sites.geometry)
      return static_cast<double>(std::ssize(sites.grid.lengths)) * static_cast<double>(sites.count);
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
  const bool has_axes = !exchange_of_axes(tables, sites).empty();
  if (has_axes) return 2 * std::ssize(sites.grid.lengths);
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
    if (exchange.listed != nullptr)
      for (const lattice::CoupledPair& bond : *exchange.listed) add(bond.i, bond.j);
    if (!exchange.pairs.empty() || exchange.file) continue;
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

std::vector<std::string> warnings_of_shells(const DiscreteTables& tables,
                                            const DiscreteSites& sites) {
  std::vector<std::string> warnings;
  for (const ScalarExchange& exchange : tables.exchange) {
    if (!exchange.shell || !sites.geometry) continue;
    const lattice::SelectedBonds bonds = selected(tables, exchange, *sites.geometry);
    if (!bonds.warning.empty()) warnings.push_back(bonds.warning);
  }
  return warnings;
}

bool couplings_are_rounded(const DiscreteTables& tables) {
  std::vector<double> couplings;
  for (const ScalarExchange& exchange : tables.exchange) {
    if (exchange.listed != nullptr)
      for (const lattice::CoupledPair& bond : *exchange.listed) couplings.push_back(bond.J);
    if (exchange.file) continue;
    if (exchange.is_continuous()) return true;
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
  if (exchange.listed != nullptr) {
    double least = std::numeric_limits<double>::infinity();
    for (const lattice::CoupledPair& bond : *exchange.listed) least = std::min(least, bond.J);
    return least;
  }
  if (exchange.disorder > 0 && exchange.disorder_distribution == "normal")
    return -std::numeric_limits<double>::infinity();
  return *exchange.J - exchange.disorder;
}

std::vector<const ScalarExchange*> exchange_of_axes(const DiscreteTables& tables,
                                                    const DiscreteSites& sites) {
  if (!sites.is_grid()) return {};
  std::vector<const ScalarExchange*> of_axes(sites.grid.lengths.size());
  for (const ScalarExchange& exchange : tables.exchange)
    if (exchange.file || !exchange.pairs.empty() || exchange.all_pairs) return {};
  if (!sites.geometry) {
    std::fill(of_axes.begin(), of_axes.end(), &tables.exchange.front());
    return of_axes;
  }
  for (const ScalarExchange& exchange : tables.exchange) {
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

std::string reason_against_samples(const DiscreteTables& tables, const DiscreteSites& sites) {
  if (!tables.is_ising()) return "a site has more than two states";
  const std::vector<const ScalarExchange*> of_axes = exchange_of_axes(tables, sites);
  if (of_axes.empty()) return "bonds are not those of nearest neighbours on a grid";
  const ScalarExchange& first = *of_axes.front();
  const bool is_one_table = std::all_of(of_axes.begin(), of_axes.end(),
                                        [&](const auto* exchange) { return exchange == &first; });
  const bool has_signs = is_one_table && *first.J == 0 && first.disorder > 0 &&
                         first.disorder_distribution == "bimodal";
  if (!is_uniform(of_axes) && !has_signs)
    return "couplings are not all equal, and differ in more than a random sign";
  return "";
}

std::string reason_against_bits(const DiscreteTables& tables, const DiscreteSites& sites) {
  const std::string reason = reason_against_samples(tables, sites);
  if (!reason.empty()) return reason;
  const ScalarExchange& first = tables.exchange.front();
  if (first.disorder > 0 && !first.has_equal_chances())
    return "couplings are not J or -J with equal chances";
  try {
    ising::require_bits({sites.grid.lengths, sites.grid.periodic});
  } catch (const InputError& error) {
    return error.problem();
  }
  return "";
}

double strength_of(const DiscreteTables& tables) {
  const ScalarExchange& exchange = tables.exchange.front();
  return exchange.disorder > 0 ? exchange.disorder : *exchange.J;
}

bool has_signs_by_place(const DiscreteTables& tables, const DiscreteSites& sites) {
  return tables.exchange.front().disorder > 0 && reason_against_bits(tables, sites).empty();
}

bool is_uniform(const std::vector<const ScalarExchange*>& of_axes) {
  return std::all_of(of_axes.begin(), of_axes.end(), [&](const ScalarExchange* exchange) {
    return exchange->disorder == 0 && *exchange->J == *of_axes.front()->J;
  });
}

std::vector<double> couplings_of_grid(const DiscreteTables& tables, const DiscreteSites& sites,
                                      Index replica) {
  if (exchange_of_axes(tables, sites).empty())
    throw InputError(
        "the bonds do not all join nearest neighbours of a grid", tables.lattice.where.of("type"),
        "use type = \"square\", \"sc\" or \"chain\", or grid, and an exchange of shell 1");
  return couplings_of_axes(AxisCouplings(tables, sites), sites, replica, 1);
}

ising::PottsDefinition potts_definition(const DiscreteTables& tables, const DiscreteSites& sites) {
  ising::PottsDefinition definition;
  definition.sites = sites.count;
  definition.ising = tables.is_ising();
  definition.states = static_cast<int>(tables.states());
  definition.field = tables.field.h;
  for (const ScalarExchange& exchange : tables.exchange) add_values(exchange, definition);
  if (exchange_of_axes(tables, sites).empty())
    add_selected_bonds(tables, *sites.geometry, definition);
  else
    add_axis_bonds(tables, sites, definition);
  return definition;
}

std::vector<std::uint64_t> signs_of_samples(const DiscreteTables& tables,
                                            const DiscreteSites& sites,
                                            const ising::SampleGraph& graph, Index first_sample) {
  const AxisCouplings couplings(tables, sites);
  const Index replicas = tables.exchange.front().replicas_of_sample;
  std::vector<std::uint64_t> signs;
  for (std::size_t n = 0; n < graph.bonds.size(); ++n) {
    const ising::SignedBond& bond = graph.bonds[n];
    std::uint64_t negative = 0;
    for (Index k = 0; k < ising::samples_of_word; ++k)
      if (couplings.deviation(graph.sign_places[n].axis, bond.i, bond.j,
                              (first_sample + k) * replicas) < 0)
        negative |= std::uint64_t{1} << k;
    signs.push_back(negative);
  }
  return signs;
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
    return ising::ClusterGraph::on_grid(
        model, states, sites.grid,
        couplings_of_axes(AxisCouplings(tables, sites), sites, replicas.first, samples), samples);
  }
  const ising::PottsDefinition definition = potts_definition(tables, sites);
  const std::vector<lattice::CoupledPair>& bonds = definition.bonds;
  std::vector<double> of_samples;
  if (definition.of_replica)
    for (Index sample = 0; sample < samples; ++sample)
      for (std::size_t n = 0; n < bonds.size(); ++n)
        of_samples.push_back(bonds[n].J +
                             definition.of_replica(static_cast<Index>(n), replicas.first + sample));
  return ising::ClusterGraph::of_bonds(model, states, sites.count, bonds, of_samples);
}

}  // namespace larmor::study
