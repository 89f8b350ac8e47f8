#pragma once
// Second derivatives of the energy by the positions of atoms, by central differences of forces:
//
//   H_ij = - (F_i(x + h e_j) - F_i(x - h e_j)) / (2 h)
//
// H is made symmetric afterwards. The displaced structures are replicas of one state, so one
// evaluation serves many columns. The error of a second derivative is h^2 / 6 times a fourth
// derivative, about 1e-7 of H.

#include <vector>

#include "larmor/atoms/forces/force_field.hpp"

namespace larmor::atoms {

/// A state on the host with the force field that evaluates it.
struct Surface {
  AtomState& state;
  ForceField& field;
};

/// The Hessian of one structure, eV/Angstrom^2. [3 atoms, 3 atoms]
/// @param copies replicas of the structure in its box; their positions are overwritten
std::vector<double> hessian(const Surface& copies, const std::vector<Vec3<double>>& positions);

/// The number of replicas that `hessian` uses well.
Index copies_for_hessian(Index atoms, Backend backend);

}  // namespace larmor::atoms
