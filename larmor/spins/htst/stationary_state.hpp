#pragma once
// Refines a minimum or a saddle of the energy and finds its modes. Newton's method on the spheres
// uses the sparse Hessian. After that, the lowest eigenvalues, the zero modes, and the determinant
// without zero modes are computed. Host code.

#include <string>
#include <vector>

#include "larmor/spins/htst/energy_expansion.hpp"
#include "larmor/spins/htst/symmetry_directions.hpp"

namespace larmor::spins {

struct StationarySettings {
  /// Search for directions of translations and rotations that cost no energy?
  bool zero_modes = true;
  /// If a mode is a translation or a rotation, an absolute eigenvalue below this threshold counts
  /// as zero. The unit is the mean diagonal of the Hessian. On a lattice, eigenvalues of
  /// translations are small, but not zero.
  double zero_threshold = 1e-4;
};

struct StationaryState {
  SiteVectors spins;  ///< [3, sites]
  EnergyExpansion expansion;
  double torque;            ///< largest |e x dE/de| of a spin, where zero modes are projected out
  Index steps;              ///< steps of Newton's method
  std::vector<Mode> modes;  ///< all modes below zero, the zero modes, and a few more
  Index negative;           ///< number of eigenvalues below zero, without zero modes
  std::vector<Mode> zero_modes;
  SymmetryDirections::Valley valley;
  double log_determinant;  ///< log |det| of the Hessian, without zero modes
};

/// Moves to the stationary state near the spins and analyses it.
/// @param geometry geometry of the model
/// @param spins [3, sites] in storage order
/// @param what name of the state in messages, such as "the saddle"
/// @throws UnphysicalError if the spins are not near a stationary state, or the state has too many
///         unstable or soft modes, or zero modes that no symmetry explains
StationaryState find_stationary_state(const Model& model, const lattice::Geometry& geometry,
                                      SiteVectors spins, const StationarySettings& settings,
                                      const std::string& what);

}  // namespace larmor::spins
