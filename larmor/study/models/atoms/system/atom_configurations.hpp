#pragma once
// FORMAT: configurations of atoms in results: positions as for all model kinds, with velocities and
// boxes.

#include "larmor/study/models/atoms/system/atom_system.hpp"
#include "larmor/study/stages/configurations.hpp"

namespace larmor::study {

/// Appends the first `count` replicas to trajectory/{value, velocities, box, step, time}.
void append_atom_trajectory(ResultsGroup& results, const Simulation& simulation, Index count,
                            const TrajectoryTime& when);

/// Writes configuration, velocities and box of the first `count` replicas.
void write_atom_configurations(const Simulation& simulation, Index count, ResultsGroup& results);

/// Bytes of the host during append_atom_trajectory or write_atom_configurations.
double atom_configuration_bytes(const Sizing& sizing, Index count);

}  // namespace larmor::study
