#pragma once
// Writes whole configurations to the results, and replaces the states of replicas by those of
// others.

#include <functional>
#include <span>
#include <vector>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// The time at which a configuration is taken.
struct TrajectoryTime {
  Index step;        ///< as in the series: step of the stage or its point, without thermalisation
  double time;       ///< progress of the stage, in `unit`
  std::string unit;  ///< unit of `time`
};

/// Bytes of the host during `append_trajectory`. They are a new configuration, its copy that waits
/// to be written, and configurations that wait already.
double trajectory_bytes(const Sizing& sizing, Index count);

/// Appends the states of the first `count` replicas to trajectory/{value, step, time}.
void append_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                       const TrajectoryTime& when);

/// Final configurations of the first `count` replicas, as System::configurations gives them.
void write_configurations(const Simulation& simulation, Index count, ResultsGroup& results);

/// @throws UnphysicalError that names the first site, or the first replica, that is not finite
void require_finite_energies(const Simulation& simulation, std::span<const double> energies);

/// Wall time of one call, from as many calls as fit in a tenth of a second. On a GPU this is the
/// time of the launched kernels, without the preparations of the first call.
double seconds_of_one(const Device& device, const std::function<void()>& work);

/// Replica r gets the state that replica source[r] had. A collective operation.
/// @param source [replicas of the study]
void rearrange_replicas(System& system, const std::vector<Index>& source, const Ranks& ranks);

}  // namespace larmor::study
