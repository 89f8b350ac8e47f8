#pragma once
// A system of quantum spins. Its stages make their own vectors, so it has no state.

#include "larmor/study/models/discrete/system/discrete_sites.hpp"
#include "larmor/study/models/quantum/system/quantum_tables.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class QuantumSystem : public System {
 public:
  QuantumSystem(const QuantumTables& from, const SystemChoice& choice);

  SystemSize size() const override;
  bool replicas_differ() const override;
  void begin(const Study&) override {}
  Blocks save(const Ranks&) const override { return {}; }
  void load(const Blocks&, const Ranks&) override {}
  void require_finite() const override {}
  io::DataArray configurations(Index count, const Ranks& ranks) const override;
  void write_model(const Study& study, io::ResultsFile& results) const override;
  std::vector<std::string> plan(const Study& study) const override;
  std::vector<std::string> advice() const override;

 private:
  const QuantumTables& tables_;
};

class QuantumBlueprint : public Blueprint {
 public:
  /// @param tables outlive this @throws InputError as check_quantum_tables
  explicit QuantumBlueprint(const QuantumTables& tables);

  SystemSize size() const override;
  SystemBytes bytes(const Device& device, Index replicas, Index copies) const override;
  std::unique_ptr<System> make(const SystemChoice& choice) const override;

 private:
  const QuantumTables& tables_;
};

}  // namespace larmor::study
