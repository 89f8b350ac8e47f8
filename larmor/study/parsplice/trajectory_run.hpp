#pragma once
// One trajectory of the stage `parsplice` by any of its methods, which grows for as long as it is
// asked to.

#include <chrono>
#include <map>
#include <memory>
#include <string>

#include "larmor/parsplice/segment.hpp"
#include "larmor/study/parsplice/parsplice_table.hpp"
#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

class TrajectoryRun {
 public:
  virtual ~TrajectoryRun() = default;
  /// @return has the trajectory reached its goal?
  virtual bool run_for(std::chrono::milliseconds time) = 0;
  virtual Index steps() = 0;
  virtual Index stays() = 0;
  /// Steps of this call of the program, with those of dephasing, and the time that threads spent on
  /// them.
  virtual Index work() = 0;
  virtual double busy_seconds() = 0;
  virtual void save(StageMemory& memory) = 0;

  struct Found {
    parsplice::Trajectory trajectory;
    std::map<parsplice::StateLabel, parsplice::Configuration> references;
  };
  /// The trajectory after it has reached its goal.
  virtual Found found() = 0;
};

struct TrajectoryPlan {
  const ParspliceKeys& keys;
  ParspliceSteps steps;
  std::uint64_t seed;
  int workers;
  parsplice::Configuration first;
  std::string segments;  ///< path of the file of segments; empty: none
  std::uint64_t owner;   ///< identifier of the run in the file of segments
};

/// @param memory numbers from an earlier call of the program; null: none
/// @throws InputError if the file of segments is lost, or does not belong to the run
std::unique_ptr<TrajectoryRun> make_trajectory_run(const parsplice::SegmentSystem& system,
                                                   const TrajectoryPlan& plan,
                                                   const StageMemory* memory);

}  // namespace larmor::study
