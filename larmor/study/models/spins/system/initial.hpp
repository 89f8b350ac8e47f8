#pragma once
// Sets the spins before the first stage.

#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::study {

/// The lattice of a state, and the Hamiltonian that decides the handedness of textures.
struct StateSetting {
  const lattice::Geometry& geometry;
  const SystemTables& tables;
  int threads = 1;
  std::uint64_t seed = 0;  ///< for states with random numbers
};

/// Directions in canonical order; empty: random.
/// @throws InputError for keys that do not belong to the state, are missing, or contradict each
/// other; also for a file that does not fit the lattice
std::vector<Vec3<double>> initial_directions(const InitialTable& initial,
                                             const StateSetting& setting);

/// Path of the file of a state.
std::string state_file(const InitialTable& initial, const std::string& folder);

/// Sets the spins of every replica to the initial state of the study. @throws InputError as
/// initial_directions
void set_initial_state(const Study& study, SpinSystem& system);

}  // namespace larmor::study
