#pragma once
// Landau-Lifshitz-Gilbert dynamics from the present spins, with measurements.

#include <memory>

#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/study/measurements/measurements.hpp"
#include "larmor/study/measurements/stored_samples.hpp"
#include "larmor/study/models/spins/measurements/fused_measurements.hpp"
#include "larmor/study/models/spins/measurements/spin_measurements.hpp"
#include "larmor/study/models/spins/stages/drive.hpp"
#include "larmor/study/models/spins/stages/dynamics_table.hpp"
#include "larmor/study/models/spins/stages/spin_stage.hpp"

namespace larmor::study {

class DynamicsStage : public SpinStage {
 public:
  using Table = DynamicsTable;
  DynamicsStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override { return static_cast<double>(table_.steps); }
  std::string plan() const override;
  void validate(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  StageBytes forecast(const Sizing& sizing, const lattice::Geometry& geometry) const override;
  bool reads_tables() const override;
  bool takes_derivatives() const override;
  std::vector<Advice> advice(const SpinSimulation& simulation) const override;
  double seconds_per_update(SpinSimulation& simulation) override;
  void prepare(SpinSimulation& simulation) override;
  StageProgress advance(SpinSimulation& simulation, ResultsGroup& results) override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  std::optional<StagePlace> place() const override;
  bool allows_other_state() const override { return true; }
  std::string note() const override { return measurements_.note(); }
  void finish_measurements() override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  DynamicsContext course() const;
  Instant instant(Index step) const;
  void free_stored_if_full();
  void measure(SpinSimulation& simulation, ResultsGroup& results);
  Index next_stop(Index most_steps) const;
  /// Upper bound of the angular frequency of any spin, in the fields of the model, pulses and
  /// torques.
  double fastest_precession(const SpinSimulation& simulation) const;
  spins::Scheme scheme() const;
  spins::IntegratorSettings integrator_settings(const Study& study,
                                                const lattice::Geometry& geometry) const;
  void choose_blocks(SpinSimulation& simulation);
  Index fused_interval() const;
  void measure_fused(std::vector<Pending> parts, Index samples, const SpinSimulation& simulation);

  Table table_;
  ReadContext context_;
  DriveSchedule drive_;
  Measurements measurements_;
  std::optional<ResultsGroup> results_;     ///< set by the first block of this run
  std::vector<FusedMeasurement*> fusable_;  ///< measurements that steps can make if their times
                                            ///< allow it
  std::vector<FusedMeasurement*> fused_;    ///< measurements that steps make
  std::unique_ptr<spins::Integrator> integrator_;
  const Ranks* ranks_ = nullptr;  ///< set by `prepare`
  spins::Observer observer_;
  /// Steps between measurements of energy and magnetisation by steps; 0: steps do not measure.
  Index fused_every_ = 0;
  Index block_ = 1;  ///< maximum number of steps between two checks for Ctrl-C
  bool blocks_chosen_ = false;
  MeasurementQueue queue_;
  Index step_ = 0;
};

}  // namespace larmor::study
