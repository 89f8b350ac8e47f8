#pragma once
// The model kind of particles in a potential that a formula gives.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class ParticleModelKind : public ModelKind {
 public:
  std::string name() const override { return "particles"; }
  std::string doc() const override {
    return "Brownian particles in a potential that a formula gives";
  }
  std::string update_name() const override { return "coordinate updates"; }
  std::string state_name() const override { return "coordinates"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  const std::vector<StageType>& stages() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
};

}  // namespace larmor::study
