#pragma once
// Ladders of the replicas of any ensemble.
//
// If every rank has whole ladders, it decides exchanges on its device. If ladders extend over
// ranks, ranks send the energies and the parameters of rungs. Every rank then decides on all
// ladders, with equal numbers and so alike, and takes the parameters of its own replicas.

#include "larmor/study/sampling/ladder_engine.hpp"

namespace larmor::study {

class EnsembleLadder : public LadderEngine {
 public:
  /// @param simulation outlives the ladder
  /// @param plan with isoenergetic moves, every rank has all copies of its samples
  EnsembleLadder(const Simulation& simulation, std::unique_ptr<Ensemble> ensemble,
                 const LadderPlan& plan);

  const OrderParameter& order_parameter() const override { return ensemble_->order_parameter(); }
  EnergyName energy_name() const override { return ensemble_->energy_name(); }

  void set_ladder(const std::vector<double>& values) override;
  void run(Index sweeps) override;
  Index tuning_round() const override { return ensemble_->tuning_round(); }
  bool tune(Index sweeps) override;
  void reset_acceptance() override { ensemble_->reset_acceptance(); }
  std::vector<SamplerNumber> sampler_numbers() const override {
    return ensemble_->sampler_numbers();
  }

  Pending rungs() const override;
  std::vector<Pending> begin_measuring() const override { return ensemble_->begin_measuring(); }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    return ensemble_->finish_measuring(std::move(numbers));
  }

  io::DataArray configuration(Index replica) const override {
    return ensemble_->configuration(replica);
  }

  tempering::ExchangeCounts counts() const override;
  void reset_counts() override { exchange_.reset_counts(); }

  void prepare_next_stage() override;
  void save(StageMemory& memory) const override;
  void load(const StageMemory& memory, const std::vector<double>& values) override;

 private:
  /// Numbers that ranks send for replicas: energies, and parameters of a rung.
  struct Numbers;

  bool ladders_are_whole() const;
  /// The times of exchanges in the next sweeps.
  tempering::ExchangeTimes exchange_times() const;
  void exchange();
  void move_isoenergetically();
  /// Rungs of this rank's replicas.
  std::vector<double> own_rungs() const;
  /// Numbers of all replicas, on every rank. @param view that of this rank
  Numbers numbers_of_all(const ExchangeView& view) const;
  void write_to_ensemble(const Numbers& of_all, const ExchangeView& view) const;

  Simulation simulation_;
  std::unique_ptr<Ensemble> ensemble_;
  bool has_couplings_;              ///< do rungs have couplings or fields?
  tempering::LadderLayout layout_;  ///< that of all processes
  Index rung_count_, exchange_every_;
  std::optional<Index> isoenergetic_every_;
  bool whole_;                           ///< has every rank whole ladders?
  tempering::ReplicaExchange exchange_;  ///< all replicas of the study, or this rank's if ladders
                                         ///< are whole
  Index sweeps_ = 0, proposed_ = 0, moved_ = 0;
};

}  // namespace larmor::study
