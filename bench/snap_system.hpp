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
/// by numbers that are equal on every machine. With cutoffs of 4.71 to 5.06 Angstrom, an atom has
/// the 26 neighbours of three shells.
/// @param cells number of cells along each edge, with two atoms each
SnapSystem bcc_tungsten(Index cells, double cutoff);

/// A linear potential of one element. Its made-up coefficients are equal on every machine and give
/// forces of some eV/Angstrom.
atoms::snap::SnapPotential made_up_potential(int twojmax);

/// The potential of the first element of PREFIX.snapcoeff and PREFIX.snapparam.
/// @throws InputError for an invalid file, or for a potential that is not linear, or has channels
/// or an inner switch; MachineError if a file cannot be read
atoms::snap::SnapPotential potential_of_files(const std::string& prefix);

/// Forces on some atoms of one element, from the definition of SNAP in long double. Wigner's
/// matrices come from polynomials, and all products are formed. The energies of an atom and its
/// neighbours carry their derivatives. This code shares only Clebsch-Gordan coefficients with the
/// methods.
std::vector<Vec3<double>> reference_forces(const atoms::snap::SnapPotential& potential,
                                           const atoms::NeighbourRows& rows,
                                           std::span<const Index> atoms);

/// The fewest known additions, subtractions and multiplications for the forces on an atom (products
/// shared by all j, generators). They are counted during a run of the code that all processors
/// share. The count omits operations from a displacement to its rotation.
double least_snap_flops(const atoms::snap::SnapPotential& potential, int neighbours);

}  // namespace larmor::bench
