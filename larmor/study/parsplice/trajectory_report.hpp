#pragma once
// Writes a trajectory from state to state to the results: states, rates, waiting times.

#include <map>

#include "larmor/parsplice/trajectory.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/model_kind/results_group.hpp"

namespace larmor::study {

struct TrajectoryToReport {
  const parsplice::Trajectory& trajectory;
  /// References of states; some states may have none.
  const std::map<parsplice::StateLabel, parsplice::Configuration>& references;
  double step;              ///< duration of a step
  Index correlation_steps;  ///< tau_c
  std::uint64_t seed;       ///< draws the moments of exits within their steps
  io::Shape shape;          ///< shape of the places of a configuration
};

/// FORMAT: states are numbered in the order in which the trajectory enters them.
void write_trajectory(const TrajectoryToReport& report, const parsplice::MatterSystem& system,
                      const ReadContext& context, ResultsGroup& results);

/// Rates between the pairs of states with most exits, and the speed-up.
std::vector<StageNumber> numbers_of_trajectory(const io::ResultsReader& results,
                                               const std::string& path);

}  // namespace larmor::study
