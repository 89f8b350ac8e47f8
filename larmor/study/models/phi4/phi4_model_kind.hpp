#pragma once
// The model kind of O(N) phi^4 fields, and its exactly known results.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class Phi4ModelKind : public ModelKind {
 public:
  std::string name() const override { return "phi4"; }
  std::string doc() const override { return "O(N) phi^4 fields on a hypercubic lattice"; }
  std::string update_name() const override { return "site updates"; }
  std::string state_name() const override { return "fields"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  const std::vector<StageType>& stages() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

/// Open chains of fields of length 1, whose bonds are independent (H. E. Stanley, Phys. Rev. 179,
/// 570 (1969)), and a single site of finite lambda by quadrature; for every sampler.
std::vector<ExactResult> exact_phi4();

}  // namespace larmor::study
