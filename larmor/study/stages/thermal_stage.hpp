#pragma once
// What Monte Carlo stages share: a list of temperatures, a sampler, averages at each temperature.

#include <memory>

#include "larmor/spins/observer.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "larmor/study/averages.hpp"
#include "larmor/study/measurement_queue.hpp"
#include "larmor/study/stage_tables.hpp"
#include "larmor/study/stages/measured.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class ThermalStage : public Stage {
 public:
  ThermalStage(const SamplerKeys& keys, std::vector<double> temperatures,
               const ReadContext& context);

  void prepare(Simulation& simulation) override;
  void finish(Simulation& simulation, ResultsGroup& results) override;
  double seconds_per_update(Simulation& simulation) override;
  std::vector<std::pair<std::string, std::string>> latest() const override;
  void settle() override { queue_.drain(); }
  StageMemory save() const override;
  void load(const StageMemory& memory) override;
  double extra_bytes(const Study& study, const lattice::Geometry& geometry) const override;

 protected:
  /// Sets the sampler to the temperature of the current point.
  void set_point();
  void measure(const Simulation& simulation);
  /// What is measured beside energy and magnetisation: entries of `measure`.
  virtual std::vector<std::string> extra_measurements() const { return {}; }
  /// Writes the averages of the point and goes on to the next.
  void finish_point(const Simulation& simulation, ResultsGroup& results);
  /// Sweeps the sampler adapts after.
  static constexpr Index tuning_round = 10;
  double updates_per_sweep() const { return 1.0 + static_cast<double>(keys_.over_relaxation); }
  double work_of(const Simulation& simulation, Index sweeps) const;
  bool all_points_done() const { return point_ == static_cast<Index>(temperatures_.size()); }
  std::string sampler_words() const;
  bool tunes_cones() const {
    return keys_.sampler == "metropolis" && keys_.move == "adaptive-cone";
  }

  /// The series of all replicas on the root; elsewhere this rank's.
  ThermalSeries series_of_all_ranks() const;

  SamplerKeys keys_;
  std::vector<double> temperatures_;
  ReadContext context_;
  const Ranks* ranks_ = nullptr;  ///< since `prepare`
  std::unique_ptr<spins::Sampler> sampler_;
  ThermalSeries series_;
  spins::Observer observer_;
  MeasurementQueue queue_;
  std::vector<Observable> extra_;  ///< one a series of `series_.extra`
  Index point_ = 0;
  Index sweeps_done_ = 0;  ///< at this point, of whatever phase the stage is in
};

}  // namespace larmor::study
