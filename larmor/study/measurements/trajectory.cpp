#include "larmor/study/measurements/trajectory.hpp"

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

FieldTable<TrajectoryTable> TrajectoryTable::fields() {
  return measurement_fields<TrajectoryTable>(Trajectory::name)
      .optional("replicas", &TrajectoryTable::replicas, Dimension::none,
                "number of replicas that are stored")
      .at_least(1);
}

Trajectory::Trajectory(const Table& table, const MeasureContext& context)
    : Measurement(name, complete(table, context.read), table.every), replicas_(table.replicas) {}

StageBytes Trajectory::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  bytes.host = trajectory_bytes(sizing, replicas_);
  return bytes;
}

void Trajectory::sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
                        ResultsGroup& results) {
  append_trajectory(results, simulation, replicas_, {now.step, now.time, now.time_unit});
}

}  // namespace larmor::study
