#pragma once
// The model kind of vector spins.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class SpinModelKind : public ModelKind {
 public:
  std::string name() const override { return "spins"; }
  std::string doc() const override { return "vector spins on lattice sites or plain positions"; }
  std::string update_name() const override { return "spin updates"; }
  std::string state_name() const override { return "spins"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  const std::vector<StageType>& stages() const override;
  bool shares_sites() const override { return true; }
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

}  // namespace larmor::study
