#pragma once
// The crystal and the potential of `bench snap`, reference forces, and the number of operations.

#include <span>
#include <string>
#include <vector>

#include "larmor/atoms/neighbours/neighbours.hpp"
#include "larmor/atoms/potentials/snap/snap_potential.hpp"

namespace larmor::bench {

struct SnapSystem {
  atoms::Box box;
  std::vector<Vec3<double>> positions;
  std::vector<std::int32_t> elements;  ///< all 0
  atoms::NeighbourRows rows;

  Index atoms() const { return rows.atoms(); }
  double neighbours() const {
    return static_cast<double>(rows.entries()) / static_cast<double>(atoms());
  }
  /// Rows of only the first atoms.
  atoms::NeighbourRows first_rows(Index count) const;
};

/// A periodic box of bcc tungsten. Every atom is displaced by up to 0.06 Angstrom along each axis,
/// by equal numbers on every machine. With cutoffs of 4.71 to 5.06 Angstrom an atom has the 26
/// neighbours of three shells. @param cells number along each edge, of two atoms
SnapSystem bcc_tungsten(Index cells, double cutoff);

/// Linear, of one element, with made-up coefficients, equal on every machine. Forces are some
/// eV/Angstrom.
atoms::snap::SnapPotential made_up_potential(int twojmax);

/// The first element of PREFIX.snapcoeff and PREFIX.snapparam.
/// @throws InputError for an invalid file, or a potential that is not linear, or has channels or an
/// inner switch; MachineError if a file cannot be read
atoms::snap::SnapPotential potential_of_files(const std::string& prefix);

/// Forces on some atoms from the definition of SNAP in long double. Wigner's matrices come from
/// polynomials, all products are formed, and energies of an atom and its neighbours carry their
/// derivatives. It shares only Clebsch-Gordan coefficients with the methods. One element.
std::vector<Vec3<double>> reference_forces(const atoms::snap::SnapPotential& potential,
                                           const atoms::NeighbourRows& rows,
                                           std::span<const Index> atoms);

/// Additions, subtractions and multiplications for the forces on an atom, by the fewest known
/// operations (products shared by all j, generators). They are counted during a run of the common
/// code. The count omits operations from a displacement to its rotation.
double least_snap_flops(const atoms::snap::SnapPotential& potential, int neighbours);

}  // namespace larmor::bench
