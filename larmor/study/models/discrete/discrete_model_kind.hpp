#pragma once
// The model kinds of Ising and Potts spins, and their exactly known results.

#include "larmor/study/model_kind/model_kind.hpp"

namespace larmor::study {

class DiscreteModelKind : public ModelKind {
 public:
  std::string update_name() const override { return "site updates"; }
  std::string state_name() const override { return "states"; }
  const std::vector<StageType>& stages() const override;
  /// Ranks share grids if all stages update bits, or if all stages update clusters.
  bool shares_sites() const override { return true; }
};

class IsingModelKind : public DiscreteModelKind {
 public:
  std::string name() const override { return "ising"; }
  std::string doc() const override { return "Ising spins, 1 or -1, on a lattice or any graph"; }
  const std::vector<StageType>& stages() const override;
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

class PottsModelKind : public DiscreteModelKind {
 public:
  std::string name() const override { return "potts"; }
  std::string doc() const override { return "Potts spins of q states on a lattice or any graph"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  std::shared_ptr<const ModelTables> read(const Value& document,
                                          const ModelContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

/// Energies of Ising spins by every engine and rule. The source for a torus is B. Kaufman, Phys.
/// Rev. 76, 1232 (1949); the bonds of an open chain are independent.
std::vector<ExactResult> exact_ising();
/// Levels and energies of infinite strips, and ln Z of a random one, by their transfer matrices.
std::vector<ExactResult> exact_strips();
/// Energies of Potts spins.
std::vector<ExactResult> exact_potts();

}  // namespace larmor::study
