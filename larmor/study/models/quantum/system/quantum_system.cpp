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

/// The Hamiltonians of all samples: (sample, bond) and (sample, site).
void write_couplings(const Study& study, io::ResultsFile& results) {
  const Index S = samples_of(study);
  std::vector<std::int64_t> ends;
  std::vector<double> Jz, Jxy, h, Gamma;
  for (Index sample = 0; sample < S; ++sample) {
    const quantum::SpinModel model = quantum_model(study, sample);
    for (const quantum::SpinBond& bond : model.bonds) {
      if (sample == 0) ends.insert(ends.end(), {bond.i, bond.j});
      Jz.push_back(bond.Jz);
      Jxy.push_back(bond.Jxy);
    }
    h.insert(h.end(), model.hz.begin(), model.hz.end());
    Gamma.insert(Gamma.end(), model.Gamma.begin(), model.Gamma.end());
  }
  const Index bonds = std::ssize(ends) / 2, sites = std::ssize(h) / S;
  results.write("/model/h", {h, {S, sites}});
  results.write("/model/Gamma", {Gamma, {S, sites}});
  if (bonds == 0) return;
  results.write("/model/bonds", {ends, {bonds, 2}});
  results.write("/model/J", {Jz, {S, bonds}});
  results.write("/model/Jxy", {Jxy, {S, bonds}});
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

bool QuantumSystem::replicas_differ() const { return samples_differ(tables_); }

io::DataArray QuantumSystem::configurations(Index, const Ranks&) const {
  throw InternalError("quantum spins have no configurations");
}

void QuantumSystem::write_model(const Study& study, io::ResultsFile& results) const {
  write_sites(sites_of(tables_.z), study.context.units, results);
  results.set_attribute("/model", "energy_unit", "");
  write_couplings(study, results);
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
