#pragma once
// The spins before the first stage.

#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

/// What a state is set on, and the Hamiltonian that textures follow.
struct StateSetting {
  const lattice::Geometry& geometry;
  const SystemTables& tables;
  int threads = 1;
};

/// Directions in canonical order; empty: random.
/// @throws InputError for keys that a state does not have, lacks, or that contradict each other,
/// and
///         for a file that does not fit the lattice
std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const StateSetting& setting);

/// Path of the file that a state is read from.
std::string state_file(const InitialTable& initial, const std::string& folder);

/// Puts the spins of every replica where the study wants them. @throws InputError as above
void set_initial_state(const Study& study, SpinSystem& system);

}  // namespace larmor::study
