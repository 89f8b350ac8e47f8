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

/// The closed form of the repulsion of nuclei, and of one of its phonons. SNAP of two elements by
/// the textbook method, in which only the energy gives forces and pressure. Ideal gases;
/// thermostats.
std::vector<ExactResult> exact_atoms();

}  // namespace larmor::study
