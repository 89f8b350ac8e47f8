#pragma once
// Relaxes the spins of every replica to a minimum of the energy.

#include <memory>

#include "larmor/study/stages/measured.hpp"
#include "larmor/study/stages/relaxing.hpp"

namespace larmor::study {

class MinimiseStage : public Stage {
 public:
  using Table = MinimiseTable;
  MinimiseStage(const Table& table, const ReadContext& context)
      : table_(table), context_(context) {}

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_spin() const override;
  bool needs_cpu_doubles() const override { return true; }
  std::string plan() const override;
  double extra_bytes(const Study& study, const lattice::Geometry& geometry) const override;
  double seconds_per_update(Simulation& simulation) override;
  void prepare(Simulation& simulation) override;
  Portion advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::string note() const override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  void append_series(ResultsGroup& results) const;

  Table table_;
  ReadContext context_;
  spins::MinimiserSettings settings_;
  std::unique_ptr<spins::Minimiser> minimiser_;
  std::vector<Observable> observables_;
  Index step_ = 0;
  bool started_ = false;  ///< is the first configuration evaluated?
  std::string note_;
};

}  // namespace larmor::study
