#pragma once
// Measures whole configurations, as an entry of `measure`.

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/measurement_keys.hpp"

namespace larmor::study {

struct TrajectoryTable : MeasurementKeys {
  Index replicas = 1;

  static FieldTable<TrajectoryTable> fields();
};

class Trajectory : public Measurement {
 public:
  using Table = TrajectoryTable;
  static constexpr const char* name = "trajectory";
  static constexpr const char* doc = "whole configurations of the first replicas";

  Trajectory(const Table& table, const MeasureContext& context);

  StageBytes forecast(const Sizing& sizing) const override;
  void prepare(const Simulation&) override {}
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
  void write(const Simulation&, const std::optional<MeasuredPoint>&, ResultsGroup&) override {}
  void save(StageMemory&, const Ranks&) const override {}
  void load(const StageMemory&, const Ranks&) override {}

 protected:
  Index replicas() const { return replicas_; }

 private:
  Index replicas_;
};

}  // namespace larmor::study
