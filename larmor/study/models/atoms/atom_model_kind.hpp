#pragma once
// The model kind of atoms that move, and its exactly known results.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class AtomModelKind : public ModelKind {
 public:
  std::string name() const override { return "atoms"; }
  std::string doc() const override { return "atoms with interatomic potentials"; }
  std::string update_name() const override { return "atom steps"; }
  std::string state_name() const override { return "atoms"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  const std::vector<StageType>& stages() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

/// Exact results: the repulsion of nuclei and one of its phonons, in closed form; SNAP of two
/// elements by the textbook method, which takes forces and pressure from derivatives of the energy;
/// the pressure of an ideal gas; the temperature that each thermostat keeps.
std::vector<ExactResult> exact_atoms();

}  // namespace larmor::study
