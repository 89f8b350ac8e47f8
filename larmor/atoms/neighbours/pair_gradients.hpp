#pragma once
// Energies and pair gradients of a potential, and the forces and virials that follow from them.
//
// The energy is a sum over atoms, E = sum_i E_i. E_i depends on the displacements r_ij = r_j - r_i
// of the neighbours of i. With g_ij = dE_i/dr_ij the force of the pair on i is f_ij = g_ij - g_ji,
// and
//
//   F_i = sum_j f_ij,   W_i = -1/2 sum_j r_ij (x) f_ij,   W = sum_i W_i = -dE/d(strain),
//
// where W_i is the virial of an atom and W the virial of all atoms (eV). The stress times the
// volume is -W. Each pair gives half of its virial to each of its atoms, as in LAMMPS.

#include <span>
#include <vector>

#include "larmor/atoms/neighbours/neighbours.hpp"

namespace larmor::atoms {

/// xx, yy, zz, xy, xz, yz, the order of LAMMPS.
using SymmetricTensor = std::array<double, 6>;

struct PairGradients {
  std::vector<double> energy;          ///< E_i, eV [atoms]
  std::vector<Vec3<double>> gradient;  ///< g_ij, eV/Angstrom [entries of the rows]

  /// Adds the numbers of another potential for these atoms and rows.
  void add(const PairGradients& other);
};

/// Force on each atom, eV/Angstrom [atoms]. BITS: summed in the order of the row.
std::vector<Vec3<double>> forces(const NeighbourRows& rows, std::span<const Vec3<double>> gradient);

/// Virial of every atom, eV [atoms].
std::vector<SymmetricTensor> virials(const NeighbourRows& rows,
                                     std::span<const Vec3<double>> gradient);

/// Sums over atoms. BITS: added in the order of the atoms.
double total(std::span<const double> energies);
SymmetricTensor total(std::span<const SymmetricTensor> virials);

}  // namespace larmor::atoms
