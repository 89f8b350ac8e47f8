#include "larmor/study/kinds/discrete/discrete_system.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstring>

#include "larmor/io/extxyz.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/lattice/lattice_results.hpp"

namespace larmor::study {
namespace {

/// No normal deviate of 52 random bits is larger.
constexpr double largest_deviate = 9;

/// Sites of a graph have places on a line, for files.
lattice::Geometry graph_of(Index sites) {
  lattice::Geometry geometry;
  geometry.crystal.name = "graph";
  geometry.crystal.dimensions = 1;
  geometry.crystal.cell = {Vec3<double>{static_cast<double>(sites), 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (Index i = 0; i < sites; ++i)
    geometry.crystal.basis.push_back(
        {{static_cast<double>(i) / static_cast<double>(sites), 0, 0}, "A", 1});
  geometry.periodic = {false, false, false};
  geometry.plain_positions = true;
  return geometry;
}

lattice::Geometry geometry_of(const DiscreteTables& tables) {
  const SiteLatticeTable& table = tables.lattice;
  if (table.sites) {
    if (table.type || table.cell || table.file || !table.size.empty())
      throw InputError("lattice says both sites and type, cell, file or size",
                       table.where.of("sites"), "a graph of sites has nothing else");
    return graph_of(*table.sites);
  }
  check_lattice_keys(table);
  return located(table.where, [&] {
    if (table.file) {
      lattice::Geometry geometry = io::read_extxyz(path_in(tables.folder, *table.file));
      set_species(table, geometry.crystal);
      return geometry;
    }
    lattice::Crystal crystal =
        table.type ? lattice::named_crystal(*table.type, table.constant) : own_crystal(table);
    set_species(table, crystal);
    return lattice_key_located(
        table, "", [&] { return lattice::make_lattice(crystal, table.size, table.periodic); });
  });
}

void require_pairs_in_a_graph(const DiscreteTables& tables) {
  if (!tables.lattice.sites) return;
  for (const ScalarExchange& exchange : tables.exchange)
    if (exchange.pairs.empty())
      throw InputError("a graph of sites knows no distances",
                       exchange.where.of({"shell", "offset"}), "give pairs = [[0, 1], ..]");
}

ising::PottsDefinition definition_of(const DiscreteTables& tables,
                                     const lattice::Geometry& geometry) {
  ising::PottsDefinition definition;
  definition.sites = geometry.sites();
  definition.ising = tables.is_ising();
  definition.states = static_cast<int>(tables.states());
  definition.field = tables.field.h;
  /// The tables whose bonds differ by replica, by their first bond.
  std::vector<std::pair<Index, const ScalarExchange*>> differing;
  for (const ScalarExchange& exchange : tables.exchange) {
    const Index first = std::ssize(definition.bonds);
    const lattice::SelectedBonds selected = term_located(tables.lattice, exchange, [&] {
      return pair_by_pair(exchange.select(geometry, "add `J = ...`: J > 0 is ferromagnetic"),
                          geometry);
    });
    const bool shared = exchange.disorder > 0 && !exchange.disorder_by_replica;
    for (const lattice::PairBond& bond : selected.pairs)
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
  const auto differs = [](const auto& of_table) { return of_table.second != nullptr; };
  if (std::none_of(differing.begin(), differing.end(), differs)) return definition;
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

/// Bonds of a site, at most, without making any: for forecasts.
double bonds_of(const DiscreteTables& tables, const lattice::Geometry& geometry) {
  double bonds = 0;
  for (const ScalarExchange& exchange : tables.exchange)
    bonds += term_located(tables.lattice, exchange, [&] {
      const lattice::SelectedBonds selected =
          lattice::select_bonds(exchange, ScalarExchange::name, geometry);
      return static_cast<double>(selected.pairs.size()) +
             static_cast<double>(selected.stencil.size()) * static_cast<double>(geometry.cells());
    });
  return bonds;
}

bool couplings_differ(const DiscreteTables& tables) {
  return std::any_of(tables.exchange.begin(), tables.exchange.end(),
                     [](const ScalarExchange& exchange) { return exchange.disorder_by_replica; });
}

SystemSize size_of_sites(const lattice::Geometry& geometry) {
  return {geometry.sites(), geometry.sites(), &geometry,
          sizeof(std::int32_t) * static_cast<double>(geometry.sites())};
}

}  // namespace

DiscreteSystem::DiscreteSystem(const DiscreteTables& from, lattice::Geometry built,
                               const ising::PottsDefinition& definition, const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      geometry(std::move(built)),
      model(choice.device, definition, choice.replicas),
      state(model, step),
      differ_(couplings_differ(from)),
      table_bytes_(ising::model_bytes(static_cast<double>(definition.sites),
                                      static_cast<double>(definition.bonds.size()),
                                      differ_ ? static_cast<double>(choice.replicas.count) : 0)) {}

SystemSize DiscreteSystem::size() const { return size_of_sites(geometry); }

void DiscreteSystem::begin(const Study& study) {
  if (tables.initial.state == "random") return state.randomise(study.seed);
  state.set_all(tables.state_of(tables.initial.value.value_or(tables.is_ising() ? 1 : 0)));
}

Blocks DiscreteSystem::save(const Ranks& ranks) const {
  const std::vector<std::uint8_t> states = state.canonical(model.replicas().count);
  std::vector<std::byte> bytes(states.size());
  std::memcpy(bytes.data(), states.data(), states.size());
  return {{"states", ranks.joined(bytes)}};
}

void DiscreteSystem::load(const Blocks& blocks, const Ranks& ranks) {
  const std::vector<std::byte> own =
      ranks.own_of(block<std::byte>(blocks, "states"), ranks.replicas(), model.sites());
  std::vector<std::uint8_t> states(own.size());
  std::memcpy(states.data(), own.data(), own.size());
  state.load(states);
}

io::DataArray DiscreteSystem::configurations(Index count, const Ranks& ranks) const {
  const ReplicaShare& share = model.replicas();
  const std::vector<std::uint8_t> own =
      state.canonical(std::clamp(count - share.first, Index{0}, share.count));
  std::vector<std::byte> bytes(own.size());
  std::memcpy(bytes.data(), own.data(), own.size());
  bytes = ranks.joined(bytes);
  std::vector<std::int32_t> values;
  values.reserve(bytes.size());
  for (const std::byte state_of_site : bytes)
    values.push_back(tables.value_of(static_cast<std::uint8_t>(state_of_site)));
  const Index here = std::ssize(values) / model.sites();
  return {std::move(values), {here, model.sites()}};
}

void DiscreteSystem::write_model(const Study& study, io::ResultsFile& results) const {
  write_lattice(
      geometry, study.context.units, [](Index) { return 1.0; }, results);
  results.set_attribute("/model", "states", Index{model.states()});
  results.set_attribute("/model", "energy_unit", "");
}

std::vector<std::string> DiscreteSystem::plan(const Study&) const {
  const std::size_t colours = model.colour_begin().size() - 1;
  return {"lattice   " + (tables.lattice.sites ? fmt::format("a graph of {} sites", model.sites())
                                               : lattice_words(geometry)),
          fmt::format("model     {}; up to {} bonds a site, {} colour{}",
                      tables.is_ising() ? std::string("Ising")
                                        : fmt::format("Potts, {} states", model.states()),
                      model.most_bonds(), colours, colours == 1 ? "" : "s")};
}

std::vector<std::string> DiscreteSystem::advice() const {
  if (!model.rounds_couplings()) return {};
  return {
      "couplings are rounded to multiples of 2^-30 of the largest, so that energies are exact "
      "sums"};
}

DiscreteBlueprint::DiscreteBlueprint(const DiscreteTables& tables)
    : tables_(tables), geometry_(geometry_of(tables)) {
  require_pairs_in_a_graph(tables);
}

SystemSize DiscreteBlueprint::size() const { return size_of_sites(geometry_); }

SystemBytes DiscreteBlueprint::bytes(const Device&, Index replicas, Index) const {
  const auto sites = static_cast<double>(geometry_.sites());
  const double bonds = bonds_of(tables_, geometry_);
  SystemBytes bytes;
  bytes.state = bytes.saved = sites * static_cast<double>(replicas);
  // Bonds as they are listed, and tables as they are made of them.
  bytes.host = 3 * bytes.saved + bonds * (sizeof(lattice::PairBond) + sizeof(ising::Bond)) +
               50 * sites +
               ising::model_bytes(sites, bonds,
                                  couplings_differ(tables_) ? static_cast<double>(replicas) : 0);
  return bytes;
}

std::unique_ptr<System> DiscreteBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<DiscreteSystem>(tables_, geometry_, definition_of(tables_, geometry_),
                                          choice);
}

DiscreteSystem& discrete_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<DiscreteSystem*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no discrete spins");
  return *system;
}

}  // namespace larmor::study
