#include "larmor/study/models/quantum/system/quantum_tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/lattice/quenched_disorder.hpp"
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
      exchange.disorder_distribution = "normal";
      exchange.disorder_probability = ScalarExchange::equal_chances;
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

void check_disorder(const QuantumFieldTable& table) {
  if (table.h_disorder != 0 || table.Gamma_disorder != 0) return;
  const std::string remedy = "give h_disorder or Gamma_disorder";
  if (table.disorder_by_replica)
    throw InputError("field has disorder_by_replica, but no disorder",
                     table.where.of("disorder_by_replica"), remedy);
  if (table.disorder_distribution != "normal")
    throw InputError("field has disorder_distribution, but no disorder",
                     table.where.of("disorder_distribution"), remedy);
}

/// Samples share their sectors, so none may have more symmetries than others.
void check_bimodal(double of_all, const std::vector<double>& by_site, const char* key,
                   double disorder, const QuantumFieldTable& table) {
  if (disorder == 0 || table.disorder_distribution != "bimodal") return;
  const auto may_vanish = [disorder](double field) { return std::abs(field) == disorder; };
  if (by_site.empty() ? !may_vanish(of_all) : !std::ranges::all_of(by_site, may_vanish)) return;
  throw InputError(fmt::format("all fields {} of a disorder sample may be 0", key),
                   table.where.of(fmt::format("{}_disorder", key)),
                   fmt::format("give a {0}_disorder that differs from {0}", key));
}

/// The fields without disorder.
std::vector<double> field_of(double of_all, const std::vector<double>& by_site, Index sites) {
  return by_site.empty() ? std::vector<double>(static_cast<std::size_t>(sites), of_all) : by_site;
}

/// The first number is that of h, the second one that of Gamma, relative to their disorder.
Vec3<double> field_deviations(const QuantumFieldTable& table, Index site, Index replica) {
  const Index sample = table.disorder_by_replica ? replica / table.replicas_of_sample : 0;
  if (table.disorder_distribution == "uniform")
    return lattice::site_uniforms(table.disorder_seed, site, sample);
  const Vec3<double> deviates = lattice::site_deviates(table.disorder_seed, site, sample);
  if (table.disorder_distribution == "normal") return deviates;
  return {std::copysign(1.0, deviates.x), std::copysign(1.0, deviates.y), 0};
}

void set_fields(const QuantumFieldTable& table, Index replica, double scale,
                quantum::SpinModel& model) {
  model.hz = field_of(table.h, table.h_by_site, model.sites);
  model.Gamma = field_of(table.Gamma, table.Gamma_by_site, model.sites);
  for (Index site = 0; site < model.sites; ++site) {
    const Vec3<double> deviations = field_deviations(table, site, replica);
    double& h = model.hz[static_cast<std::size_t>(site)];
    double& Gamma = model.Gamma[static_cast<std::size_t>(site)];
    h = scale * (h + table.h_disorder * deviations.x);
    Gamma = scale * std::abs(Gamma + table.Gamma_disorder * deviations.y);
  }
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
                "transverse field of each site, instead of Gamma")
      .optional("h_disorder", &QuantumFieldTable::h_disorder, Dimension::energy,
                "standard deviation of normal fields about h, or the largest deviation of bimodal "
                "and uniform ones")
      .at_least(0)
      .optional("Gamma_disorder", &QuantumFieldTable::Gamma_disorder, Dimension::energy,
                "the same for Gamma; a field below 0 is replaced by its absolute value")
      .at_least(0)
      .optional("disorder_distribution", &QuantumFieldTable::disorder_distribution, Dimension::none,
                "distribution of the fields; bimodal gives Gamma + Gamma_disorder or Gamma - "
                "Gamma_disorder, uniform all values between them")
      .one_of({"normal", "bimodal", "uniform"})
      .optional("disorder_seed", &QuantumFieldTable::disorder_seed, Dimension::none,
                "seed of the random fields")
      .optional("disorder_by_replica", &QuantumFieldTable::disorder_by_replica, Dimension::none,
                "whether each disorder sample has its own fields");
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
  check_disorder(tables->field);
  check_bimodal(tables->field.h, tables->field.h_by_site, "h", tables->field.h_disorder,
                tables->field);
  check_bimodal(tables->field.Gamma, tables->field.Gamma_by_site, "Gamma",
                tables->field.Gamma_disorder, tables->field);
  tables->field.replicas_of_sample = context.replicas_of_sample;
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

bool samples_differ(const QuantumTables& tables) {
  return couplings_differ(tables.z) || tables.field.disorder_by_replica;
}

double field_scale(const QuantumTables& tables) {
  return tables.quantum.operators == "spin" ? 0.5 : 1;
}

Index samples_of(const Study& study) {
  return samples_differ(quantum_tables(study)) ? study.replicas / study.replicas_of_sample() : 1;
}

void check_state_vectors(const QuantumTables& tables) {
  const DiscreteSites& sites = sites_of(tables.z);
  if (sites.count > quantum::most_sites)
    throw InputError(
        fmt::format("{0} quantum spins have 2^{0} states: a vector would take {1:.3g} bytes",
                    sites.count, 8 * std::exp2(static_cast<double>(sites.count))),
        tables.lattice.where.of({"size", "grid", "sites", "file"}),
        fmt::format("give at most {} sites, or use kind = \"quantum-monte-carlo\"",
                    quantum::most_sites));
}

void check_quantum_tables(const QuantumTables& tables) {
  const DiscreteSites& sites = sites_of(tables.z);
  check_bonds(tables.z, sites);
  check_fields(tables.field.h_by_site, "h", tables.field.h, tables.field, sites.count);
  check_fields(tables.field.Gamma_by_site, "Gamma", tables.field.Gamma, tables.field, sites.count);
}

quantum::SpinModel quantum_model(const Study& study, Index sample) {
  const QuantumTables& tables = quantum_tables(study);
  check_quantum_tables(tables);
  const DiscreteSites& sites = sites_of(tables.z);
  const Index replica = samples_differ(tables) ? sample * study.replicas_of_sample() : 0;
  quantum::SpinModel model;
  model.sites = static_cast<int>(sites.count);
  const double scale = field_scale(tables);
  set_fields(tables.field, replica, scale, model);
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
