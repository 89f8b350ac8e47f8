#pragma once
// A minimum or a saddle of the energy, made exact and taken apart into its modes: Newton's method
// on the spheres with the sparse Hessian, then the eigenvalues that matter, zero modes, and the
// determinant without these. Host code.

#include <string>
#include <vector>

#include "larmor/spins/htst/energy_expansion.hpp"
#include "larmor/spins/htst/symmetry_directions.hpp"

namespace larmor::spins {

struct StationarySettings {
  /// Are directions of translations and rotations looked for that cost no energy?
  bool zero_modes = true;
  /// Eigenvalues smaller than this are zero where the mode is a translation; in units of the mean
  /// diagonal of the Hessian. On a lattice, those of translations are small, not zero.
  double zero_threshold = 1e-4;
};

struct StationaryState {
  SiteVectors spins;  ///< [3, sites]
  EnergyExpansion expansion;
  double torque;            ///< largest |e x dE/de| of a spin, but for what lies along zero modes
  Index steps;              ///< of Newton's method
  std::vector<Mode> modes;  ///< the lowest: all below zero, the zero modes, and a few more
  Index negative;           ///< eigenvalues below zero, without zero modes
  std::vector<Mode> zero_modes;
  SymmetryDirections::Valley valley;
  double log_determinant;  ///< of the size of the Hessian's, without zero modes
};

/// Moves to the stationary state beside the spins and looks at it.
/// @param geometry of the model; @param spins [3, sites] in storage order
/// @param what messages call the state: "the saddle"
/// @throws UnphysicalError when the spins are not near a stationary state, when it has too many
///         unstable or soft modes, or zero modes that no symmetry explains
StationaryState find_stationary_state(const Model& model, const lattice::Geometry& geometry,
                                      SiteVectors spins, const StationarySettings& settings,
                                      const std::string& what);

}  // namespace larmor::spins
