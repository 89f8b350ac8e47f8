#pragma once
// Simulated annealing: a few sweeps at each of many temperatures. In the first half of the sweeps
// the sampler adapts, in the second half averages are taken.

#include "larmor/study/sampling/anneal_table.hpp"
#include "larmor/study/sampling/thermal_stage.hpp"

namespace larmor::study {

class AnnealStage : public ThermalStage {
 public:
  AnnealStage(const AnnealKeys& keys, std::unique_ptr<SamplerChoice> sampler,
              const ReadContext& context);

  std::string kind() const override { return keys_.kind; }
  double updates_per_site() const override;
  std::string plan() const override;
  StageBytes forecast(const Sizing& sizing) const override;
  StageProgress advance(Simulation& simulation, ResultsGroup& results) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  std::optional<StagePlace> place() const override {
    return StagePlace{point_ * keys_.sweeps + sweeps_done_, std::nullopt, ""};
  }

 private:
  /// The lowest of the final states of the stage.
  void write_lowest_state(const Simulation& simulation, ResultsGroup& results) const;

  AnnealKeys keys_;
};

/// The stage of a model kind. @param Matter as for MonteCarloTable; it makes a SamplerChoice of
/// keys
template <class Matter>
class AnnealStageOf : public AnnealStage {
 public:
  using Table = AnnealTable<Matter>;
  AnnealStageOf(const Table& table, const ReadContext& context)
      : AnnealStage(table, Matter::sampler(table, context), context), table_(table) {}

  Value completed() const override { return complete(table_, context_); }

 private:
  Table table_;
};

}  // namespace larmor::study
