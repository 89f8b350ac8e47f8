#pragma once
// Landau-Lifshitz-Gilbert dynamics from the spins as they are, with measurements on the way.

#include <memory>

#include "larmor/correlations/spectra/correlator.hpp"
#include "larmor/spins/integrators/integrator.hpp"
#include "larmor/spins/observables/observer.hpp"
#include "larmor/study/kinds/spins/dynamics_tables.hpp"
#include "larmor/study/kinds/spins/stages/drive.hpp"
#include "larmor/study/kinds/spins/stages/measured.hpp"
#include "larmor/study/kinds/spins/stages/pair_correlations_in_time.hpp"
#include "larmor/study/kinds/spins/stages/site_averages.hpp"
#include "larmor/study/kinds/spins/stages/spin_stage.hpp"
#include "larmor/study/stages/averages.hpp"
#include "larmor/study/stages/measurement_queue.hpp"

namespace larmor::study {

class DynamicsStage : public SpinStage {
 public:
  using Table = DynamicsTable;
  DynamicsStage(const Table& table, const ReadContext& context);

  std::string kind() const override { return Table::name; }
  Value completed() const override { return complete(table_, context_); }
  double updates_per_site() const override { return static_cast<double>(table_.steps); }
  std::string plan() const override;
  double extra_bytes(const Study& study, const lattice::Geometry& geometry) const override;
  double bytes_of_all_replicas(const Study& study,
                               const lattice::Geometry& geometry) const override;
  double device_bytes(const Study& study, const lattice::Geometry& geometry, const Device& device,
                      Index all_replicas) const override;
  bool reads_tables() const override;
  bool takes_derivatives() const override;
  std::vector<Advice> advice(const SpinSimulation& simulation) const override;
  double seconds_per_update(SpinSimulation& simulation) override;
  void prepare(SpinSimulation& simulation) override;
  Portion advance(SpinSimulation& simulation, ResultsGroup& results) override;
  void finish(SpinSimulation& simulation, ResultsGroup& results) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  std::string note() const override { return note_; }
  void settle() override;
  StageMemory save() const override;
  void load(const StageMemory& memory) override;

 private:
  /// One entry of `measure` and what it has gathered.
  struct Measurement {
    MeasurementTable table;
    std::vector<Observable> observables;
    std::vector<std::vector<double>> values;  ///< of each observable, [sample][replica][component]
    std::vector<double> steps;
    SiteAverages sites;
    RealArray first;  ///< autocorrelation: the spins at the beginning
    std::unique_ptr<correlations::Correlator> structure_factor;
    correlations::StructureFactorSettings settings;
    std::unique_ptr<correlations::real_space::PairCorrelationsInTime> pairs;
  };

  correlations::StructureFactorSettings structure_factor_settings(
      const MeasurementTable& table, const lattice::Geometry& geometry) const;
  correlations::real_space::PairsInTimeSettings pairs_settings(
      const MeasurementTable& table, const lattice::Geometry& geometry) const;
  void measure(SpinSimulation& simulation, ResultsGroup& results);
  void take(Measurement& measurement, SpinSimulation& simulation, ResultsGroup& results);
  Index next_stop() const;
  void write_series(const Measurement& measurement, const SpinSimulation& simulation,
                    ResultsGroup& results) const;
  /// Bound of the angular frequency of any spin, in the fields of the model, pulses and torques.
  double fastest_precession(const SpinSimulation& simulation) const;
  double largest_frequency(const MeasurementTable& table, const SpinSimulation& simulation) const;
  spins::Scheme scheme() const;
  spins::IntegratorSettings integrator_settings(const Study& study,
                                                const lattice::Geometry& geometry) const;
  void choose_portions(SpinSimulation& simulation);
  void observe(Measurement& measurement, const SpinSimulation& simulation);
  Index passing_rhythm() const;
  bool passes(const Measurement& measurement) const;
  void observe_passing(std::vector<Pending> parts, Index samples, const SpinSimulation& simulation);
  void add_energy(Measurement& measurement, const SpinSimulation& simulation,
                  std::vector<double> energy, const double* magnetisation, const Vec3<double>& B);
  Vec3<double> pulse_at(Index step) const;
  /// Of detailed balance, as the study counts temperatures.
  double balance_temperature(const MeasurementTable& table) const {
    return table.temperature.value_or(table_.temperature);
  }
  double time_of(double step) const { return step * table_.timestep; }

  Table table_;
  ReadContext context_;
  DriveSchedule drive_;
  std::vector<Measurement> measurements_;
  std::unique_ptr<spins::Integrator> integrator_;
  Device device_;
  const Ranks* ranks_ = nullptr;  ///< since `prepare`
  spins::Observer observer_;
  /// How often steps measure energy and magnetisation as they go; 0: they do not.
  Index passing_every_ = 0;
  Index portion_ = 1;  ///< steps at most before the run reacts
  bool portions_chosen_ = false;
  MeasurementQueue queue_;
  Index step_ = 0;
  std::string note_;
};

}  // namespace larmor::study
