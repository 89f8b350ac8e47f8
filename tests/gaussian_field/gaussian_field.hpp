#pragma once
// A model kind that tests the interface for model kinds: a real number phi at each site of a ring,
// H = sum_i [ m^2 phi_i^2 / 2 + K (phi_i+1 - phi_i)^2 / 2 ]. All averages are known: the energy per
// site is k_B T / 2, and <phibar^2> = k_B T / (m^2 N).
//
//     [model]
//     kind = "gaussian-field"
//     [ring]
//     sites = 16
//     [stiffness]
//     mass = 1.0
//     K = 0.5

#include "larmor/study/sampling/ensemble.hpp"

namespace larmor::testing_support {

class GaussianField : public study::ModelKind {
 public:
  std::string name() const override { return "gaussian-field"; }
  std::string doc() const override { return "a number at each site of a ring"; }
  std::string update_name() const override { return "updates"; }
  std::string state_name() const override { return "numbers"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<study::TableInfo> tables() const override;
  const std::vector<study::StageType>& stages() const override;
  std::shared_ptr<const study::ModelTables> read(const Value& document,
                                                 const study::ModelContext& context) const override;
  /// The sampler that stages of this model kind use.
  static std::unique_ptr<study::SamplerChoice> sampler();
};

}  // namespace larmor::testing_support
