#pragma once
// The model kind of quantum spins 1/2, and its exactly known results.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class QuantumModelKind : public ModelKind {
 public:
  std::string name() const override { return "quantum"; }
  std::string doc() const override {
    return "quantum spins 1/2: transverse-field Ising, XXZ and Heisenberg models on a lattice or "
           "any graph";
  }
  std::string update_name() const override { return "site updates"; }
  std::string state_name() const override { return "spins"; }
  const std::vector<StageType>& stages() const override;
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

}  // namespace larmor::study
