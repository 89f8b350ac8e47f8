#include "larmor/study/models/quantum/system/quantum_system.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "larmor/study/models/discrete/system/discrete_bonds.hpp"

namespace larmor::study {
namespace {

SystemSize size_of(const QuantumTables& tables) {
  const DiscreteSites& sites = sites_of(tables.z);
  return {sites.count, sites.count, sites.geometry ? &*sites.geometry : nullptr, 0};
}

std::string symmetry_text(const quantum::SpinModel& model) {
  return model.conserves_magnetisation() ? "conserves the magnetisation"
         : model.is_even()               ? "even under a flip of all spins"
                                         : "no symmetry that sectors use";
}

}  // namespace

QuantumSystem::QuantumSystem(const QuantumTables& from, const SystemChoice& choice)
    : System(choice.device), tables_(from) {}

SystemSize QuantumSystem::size() const { return size_of(tables_); }

bool QuantumSystem::replicas_differ() const { return couplings_differ(tables_.z); }

io::DataArray QuantumSystem::configurations(Index, const Ranks&) const {
  throw InternalError("quantum spins have no configurations");
}

void QuantumSystem::write_model(const Study& study, io::ResultsFile& results) const {
  write_sites(sites_of(tables_.z), study.context.units, results);
  results.set_attribute("/model", "energy_unit", "");
}

std::vector<std::string> QuantumSystem::plan(const Study& study) const {
  const quantum::SpinModel model = quantum_model(study, 0);
  return {"lattice   " + sites_text(tables_.z, sites_of(tables_.z)),
          fmt::format("model     quantum spins 1/2, {} bonds; {}", model.bonds.size(),
                      symmetry_text(model))};
}

std::vector<std::string> QuantumSystem::advice() const {
  return warnings_of_shells(tables_.z, sites_of(tables_.z));
}

QuantumBlueprint::QuantumBlueprint(const QuantumTables& tables) : tables_(tables) {
  check_quantum_tables(tables);
}

SystemSize QuantumBlueprint::size() const { return size_of(tables_); }

SystemBytes QuantumBlueprint::bytes(const Device&, Index, Index) const { return {}; }

std::unique_ptr<System> QuantumBlueprint::make(const SystemChoice& choice) const {
  return std::make_unique<QuantumSystem>(tables_, choice);
}

}  // namespace larmor::study
