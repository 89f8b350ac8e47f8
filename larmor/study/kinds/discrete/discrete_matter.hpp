#pragma once
// Ising and Potts spins as kinds of matter.

#include "larmor/study/matter/matter.hpp"

namespace larmor::study {

class DiscreteMatter : public KindOfMatter {
 public:
  std::string update_name() const override { return "site updates"; }
  std::string state_name() const override { return "states"; }
  const std::vector<StageType>& stages() const override;
  /// Of grids, where all stages update bits or all clusters.
  bool shares_sites() const override { return true; }
};

class IsingMatter : public DiscreteMatter {
 public:
  std::string name() const override { return "ising"; }
  std::string doc() const override { return "Ising spins, 1 or -1, on a lattice or any graph"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  std::shared_ptr<const MatterTables> read(const Value& document,
                                           const MatterContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

class PottsMatter : public DiscreteMatter {
 public:
  std::string name() const override { return "potts"; }
  std::string doc() const override { return "Potts spins of q states on a lattice or any graph"; }
  std::vector<FieldInfo> keys() const override;
  std::vector<TableInfo> tables() const override;
  std::shared_ptr<const MatterTables> read(const Value& document,
                                           const MatterContext& context) const override;
  std::vector<ExactResult> exact_results() const override;
};

}  // namespace larmor::study
