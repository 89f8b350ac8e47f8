#pragma once
// The spins before the first stage.

#include "larmor/study/system.hpp"

namespace larmor::study {

/// Directions in canonical order; empty: random.
/// @throws InputError for keys that a state does not have, lacks, or that contradict each other
std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const lattice::Geometry& geometry);

/// Puts the spins of every replica where the study wants them. @throws InputError as above
void set_initial_state(const Study& study, SpinSystem& system);

}  // namespace larmor::study
