#include "larmor/study/models/atoms/measurements/atom_trajectory.hpp"

#include "larmor/study/models/atoms/system/atom_configurations.hpp"

namespace larmor::study {

AtomTrajectory::AtomTrajectory(const Table& table, const MdContext& course)
    : Trajectory(table, course) {}

StageBytes AtomTrajectory::forecast(const Sizing& sizing) const {
  StageBytes bytes;
  bytes.host = atom_configuration_bytes(sizing, replicas());
  return bytes;
}

void AtomTrajectory::sample(const Simulation& simulation, const Instant& now, MeasurementQueue&,
                            ResultsGroup& results) {
  append_atom_trajectory(results, simulation, replicas(), {now.step, now.time, now.time_unit});
}

}  // namespace larmor::study
