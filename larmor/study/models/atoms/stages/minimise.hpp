#pragma once
// Minimises the energy of the atoms of every replica, or the enthalpy with its box.

#include "larmor/atoms/minimisers/minimiser.hpp"
#include "larmor/study/models/atoms/stages/atom_stage.hpp"
#include "larmor/study/models/atoms/stages/minimise_table.hpp"

namespace larmor::study {

class AtomMinimiseStage : public Stage {
 public:
  using Table = AtomMinimiseTable;
  AtomMinimiseStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override;
  bool ends_on_convergence() const override { return true; }
  std::optional<Residual> residual() const override;
  std::string plan() const override;
  void validate(const Sizing& sizing) const override;
  StageBytes forecast(const Sizing& sizing) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override { return note_; }
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  /// A number of every replica at present.
  struct Quantity {
    std::string name, unit;
    std::vector<double> values;  ///< all replicas on the root
  };
  std::vector<Quantity> quantities() const;
  void append_series(ResultsGroup& results) const;
  /// The remaining residuals in words. @param force the largest on an atom
  /// @param excess largest deviation of a pressure from its target
  std::string residual_text(double force, double excess) const;

  Table table_;
  ReadContext context_;
  std::unique_ptr<atoms::Minimiser> minimiser_;
  AtomSystem* system_ = nullptr;  ///< set by `prepare`
  const Ranks* ranks_ = nullptr;  ///< set by `prepare`
  Index step_ = 0;
  bool started_ = false;  ///< are the forces of the first configuration evaluated?
  std::string note_;
};

}  // namespace larmor::study
