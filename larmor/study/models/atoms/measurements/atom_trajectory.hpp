#pragma once
// Measures positions, velocities and boxes, as an entry of `measure`.

#include "larmor/study/measurements/trajectory.hpp"
#include "larmor/study/models/atoms/measurements/atom_measurements.hpp"

namespace larmor::study {

class AtomTrajectory : public Trajectory {
 public:
  static constexpr const char* doc = "positions, velocities and boxes of the first replicas";

  AtomTrajectory(const Table& table, const MdContext& course);

  StageBytes forecast(const Sizing& sizing) const override;
  void sample(const Simulation& simulation, const Instant& now, MeasurementQueue& queue,
              ResultsGroup& results) override;
};

}  // namespace larmor::study
