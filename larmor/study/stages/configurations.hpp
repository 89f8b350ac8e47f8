#pragma once
// Spins of whole configurations in the results.

#include <functional>
#include <span>

#include "larmor/study/stages/stage.hpp"

namespace larmor::study {

/// Appends the spins of the first `count` replicas to trajectory/{value, step, time}.
/// @param unit of the time, which is what the stage counts by
void append_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                       double time, const std::string& unit);

/// Final configurations of the first `count` replicas, (k, N, 3).
void write_configurations(const Simulation& simulation, Index count, ResultsGroup& results);

/// @throws UnphysicalError naming the first spin, or the first replica, that is not finite
void require_finite_energies(const Simulation& simulation, std::span<const double> energies);

/// Wall time of one call, from as many calls as fit in a tenth of a second. On a GPU of what it
/// launches, without what it makes at the first.
double seconds_of_one(const Device& device, const std::function<void()>& work);

}  // namespace larmor::study
