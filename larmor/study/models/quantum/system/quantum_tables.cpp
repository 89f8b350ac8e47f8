#include "larmor/study/models/quantum/system/quantum_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/quantum/state_space.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/models/discrete/system/discrete_bonds.hpp"
#include "larmor/study/models/quantum/system/quantum_system.hpp"

namespace larmor::study {
namespace {

/// The tables of Ising spins with the sites and bonds of quantum spins.
void set_bonds(const QuantumTables& from, bool is_xy, IsingTables& to) {
  to.lattice = from.lattice;
  to.context = from.context;
  for (const QuantumExchange& own : from.exchange) {
    ScalarExchange exchange = own;
    if (is_xy && !own.isotropic) {
      exchange.J = own.Jxy;
      exchange.disorder = 0;
      exchange.disorder_by_replica = false;
    }
    to.exchange.push_back(exchange);
  }
}

void check_exchange(const QuantumExchange& exchange) {
  if (exchange.isotropic && exchange.Jxy != 0)
    throw InputError("exchange has both isotropic and Jxy", exchange.where.of("Jxy"),
                     "leave out one of them: isotropic bonds have Jxy = J");
}

void check_fields(const std::vector<double>& by_site, const char* key, double of_all,
                  const QuantumFieldTable& table, Index sites) {
  if (by_site.empty()) return;
  if (of_all != 0)
    throw InputError(fmt::format("field has both {0} and {0}_by_site", key),
                     table.where.of(fmt::format("{}_by_site", key)), "leave out one of them");
  if (std::ssize(by_site) != sites)
    throw InputError(
        fmt::format("{}_by_site has {} numbers for {} sites", key, by_site.size(), sites),
        table.where.of(fmt::format("{}_by_site", key)), "give one for each site");
}

void check_Gamma(const QuantumFieldTable& table) {
  const auto is_negative = [](double Gamma) { return Gamma < 0; };
  if (!is_negative(table.Gamma) && std::ranges::none_of(table.Gamma_by_site, is_negative)) return;
  throw InputError(
      "Gamma is negative", table.where.of(table.Gamma_by_site.empty() ? "Gamma" : "Gamma_by_site"),
      "give its absolute value: a rotation of a site about z changes the sign of its sx");
}

std::vector<double> field_of(double of_all, const std::vector<double>& by_site, double scale,
                             Index sites) {
  std::vector<double> fields =
      by_site.empty() ? std::vector<double>(static_cast<std::size_t>(sites), of_all) : by_site;
  for (double& field : fields) field *= scale;
  return fields;
}

/// The bonds of files, which check_bonds has read, with Jxy.
void share_listed_bonds(const QuantumTables& tables) {
  for (std::size_t n = 0; n < tables.exchange.size(); ++n) {
    if (!tables.exchange[n].file) continue;
    auto bonds = *tables.z.exchange[n].listed;
    if (!tables.exchange[n].isotropic)
      for (lattice::CoupledPair& bond : bonds) bond.J = tables.exchange[n].Jxy;
    tables.xy.exchange[n].listed =
        std::make_shared<const std::vector<lattice::CoupledPair>>(std::move(bonds));
  }
}

/// J of all bonds in a replica.
std::vector<double> couplings_of(const ising::PottsDefinition& definition, Index replica) {
  std::vector<double> couplings;
  for (Index n = 0; n < std::ssize(definition.bonds); ++n)
    couplings.push_back(definition.bonds[static_cast<std::size_t>(n)].J +
                        (definition.of_replica ? definition.of_replica(n, replica) : 0));
  return couplings;
}

}  // namespace

FieldTable<QuantumExchange> QuantumExchange::fields() {
  FieldTable<QuantumExchange> table;
  return add_scalar_exchange_fields(table)
      .optional("Jxy", &QuantumExchange::Jxy, Dimension::energy,
                "coupling of sx and sy of each selected bond")
      .optional("isotropic", &QuantumExchange::isotropic, Dimension::none,
                "Jxy = J for each bond, also with disorder: the Heisenberg model");
}

FieldTable<QuantumFieldTable> QuantumFieldTable::fields() {
  return FieldTable<QuantumFieldTable>()
      .optional("h", &QuantumFieldTable::h, Dimension::energy, "field along z")
      .optional("Gamma", &QuantumFieldTable::Gamma, Dimension::energy,
                "transverse field along x, 0 or more")
      .optional("h_by_site", &QuantumFieldTable::h_by_site, Dimension::energy,
                "field along z of each site, instead of h")
      .optional("Gamma_by_site", &QuantumFieldTable::Gamma_by_site, Dimension::energy,
                "transverse field of each site, instead of Gamma");
}

FieldTable<QuantumTable> QuantumTable::fields() {
  return FieldTable<QuantumTable>()
      .optional("operators", &QuantumTable::operators, Dimension::none,
                "Pauli matrices s, or spins S = s / 2 in exchange and fields; averages in results "
                "are those of Pauli matrices")
      .one_of({"pauli", "spin"});
}

FieldTable<QuantumTables> QuantumTables::fields() {
  return FieldTable<QuantumTables>()
      .required("lattice", &QuantumTables::lattice, Dimension::none, SiteLatticeTable::doc)
      .optional("exchange", &QuantumTables::exchange, Dimension::none, QuantumExchange::doc)
      .optional("field", &QuantumTables::field, Dimension::none, QuantumFieldTable::doc)
      .optional("quantum", &QuantumTables::quantum, Dimension::none, QuantumTable::doc);
}

std::vector<std::pair<std::string, Value>> QuantumTables::completed() const {
  return completed_entries(*this, context);
}

std::unique_ptr<Blueprint> QuantumTables::blueprint() const {
  return std::make_unique<QuantumBlueprint>(*this);
}

std::shared_ptr<const ModelTables> read_quantum_tables(const Value& document,
                                                       const ModelContext& context) {
  if (context.read.units == UnitSystem::material)
    throw InputError("quantum spins have reduced units", document.where(),
                     "remove units = \"material\"; temperatures are k_B T in the unit of J");
  auto tables =
      std::make_shared<QuantumTables>(larmor::read<QuantumTables>(document, context.read));
  tables->context = context.read;
  for (QuantumExchange& exchange : tables->exchange) {
    exchange.replicas_of_sample = context.replicas_of_sample;
    check_exchange(exchange);
  }
  check_Gamma(tables->field);
  set_bonds(*tables, false, tables->z);
  set_bonds(*tables, true, tables->xy);
  tables->z.folder = tables->xy.folder = context.folder;
  return tables;
}

const QuantumTables& quantum_tables(const Study& study) {
  const auto* const tables = dynamic_cast<const QuantumTables*>(study.tables.get());
  if (tables == nullptr) throw InternalError("the study is not about quantum spins");
  return *tables;
}

Index samples_of(const Study& study) {
  return couplings_differ(quantum_tables(study).z) ? study.replicas / study.replicas_of_sample()
                                                   : 1;
}

void check_quantum_tables(const QuantumTables& tables) {
  const DiscreteSites& sites = sites_of(tables.z);
  if (sites.count > quantum::most_sites)
    throw InputError(
        fmt::format("{0} quantum spins have 2^{0} states: a vector would take {1:.3g} bytes",
                    sites.count, 8 * std::exp2(static_cast<double>(sites.count))),
        tables.lattice.where.of({"size", "grid", "sites", "file"}),
        fmt::format("give at most {} sites", quantum::most_sites));
  check_bonds(tables.z, sites);
  check_fields(tables.field.h_by_site, "h", tables.field.h, tables.field, sites.count);
  check_fields(tables.field.Gamma_by_site, "Gamma", tables.field.Gamma, tables.field, sites.count);
}

quantum::SpinModel quantum_model(const Study& study, Index sample) {
  const QuantumTables& tables = quantum_tables(study);
  check_quantum_tables(tables);
  const DiscreteSites& sites = sites_of(tables.z);
  const Index replica = couplings_differ(tables.z) ? sample * study.replicas_of_sample() : 0;
  const bool are_spins = tables.quantum.operators == "spin";
  quantum::SpinModel model;
  model.sites = static_cast<int>(sites.count);
  const double scale = are_spins ? 0.5 : 1;
  model.hz = field_of(tables.field.h, tables.field.h_by_site, scale, sites.count);
  model.Gamma = field_of(tables.field.Gamma, tables.field.Gamma_by_site, scale, sites.count);
  if (tables.exchange.empty()) return model;
  share_listed_bonds(tables);
  const ising::PottsDefinition z = potts_definition(tables.z, sites);
  const ising::PottsDefinition xy = potts_definition(tables.xy, sites);
  const std::vector<double> Jz = couplings_of(z, replica), Jxy = couplings_of(xy, replica);
  for (std::size_t n = 0; n < z.bonds.size(); ++n)
    model.bonds.push_back({static_cast<int>(z.bonds[n].i), static_cast<int>(z.bonds[n].j),
                           scale * scale * Jz[n], scale * scale * Jxy[n]});
  return model;
}

}  // namespace larmor::study
