#pragma once
// Correlations over all pairs of sites, from the present configurations of the replicas.

#include <memory>
#include <optional>

#include "larmor/correlations/pairs/pair_correlations.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"
#include "larmor/study/models/spins/tables/displacement_choice.hpp"
#include "larmor/study/models/spins/tables/pair_correlations_table.hpp"
#include "larmor/study/models/spins/tables/site_groups.hpp"

namespace larmor::study {

class PairCorrelationsStage : public SpinStage {
 public:
  using Table = PairCorrelationsTable;
  PairCorrelationsStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override { return static_cast<double>(table_.error_blocks + 1); }
  double work(const Study& study, const SystemSize& system) const override;
  std::string plan() const override;
  void validate(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  StageBytes forecast(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  double seconds_per_update(SpinSimulation& simulation) override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  std::string note() const override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  correlations::real_space::PairCorrelationsSettings settings_of(
      const lattice::Geometry& geometry) const;
  void begin(const SpinSimulation& simulation);
  correlations::real_space::LeftOut left_out() const;
  /// One sum over all replicas, and one without each block of replicas.
  Index sums() const { return 1 + blocks_; }
  std::vector<double> jackknife_errors() const;
  const spins::SpinState& all_replicas(const SpinSimulation& simulation) const;

  Table table_;
  ReadContext context_;
  DisplacementChoice displacement_;
  SiteGroupChoice groups_;
  correlations::real_space::PairCorrelationsSettings settings_;
  std::unique_ptr<correlations::real_space::PairRanks> ranks_;                ///< null: one rank
  std::unique_ptr<correlations::real_space::PairCorrelations> correlations_;  ///< set by `begin`
  Index replicas_ = 1, blocks_ = 0;
  Index shares_ = 1, share_ = 0;  ///< number of shares of a sum; the current one
  double work_of_sum_ = 0;
  double counted_ = 0;                     ///< share of that sum whose work was reported
  std::optional<double> precision_error_;  ///< from the first sum, if numbers are split
  std::vector<std::vector<double>>
      of_sum_;  ///< all numbers of each sum so far, in the order of the results
};

}  // namespace larmor::study
