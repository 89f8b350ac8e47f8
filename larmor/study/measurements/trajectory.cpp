#include "larmor/study/measurements/trajectory.hpp"

#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

FieldTable<TrajectoryTable> TrajectoryTable::fields() {
  return measurement_fields<TrajectoryTable>(Trajectory::name)
      .optional("replicas", &TrajectoryTable::replicas, Dimension::none, "replicas stored")
      .at_least(1);
}

Trajectory::Trajectory(const Table& table, const MeasureContext& context)
    : Measurement(name, complete(table, context.read), table.every), replicas_(table.replicas) {}

StageBytes Trajectory::forecast(const Sizing& sizing) const {
  // One at a time, of vectors.
  StageBytes bytes;
  bytes.host = 8 * 3 * static_cast<double>(sizing.system.sites) *
               static_cast<double>(std::min(replicas_, sizing.all_replicas));
  return bytes;
}

void Trajectory::sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
                        ResultsGroup& results) {
  append_trajectory(results, simulation, replicas_, {now.step, now.time, now.time_unit});
}

}  // namespace larmor::study
