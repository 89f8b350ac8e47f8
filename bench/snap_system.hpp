#pragma once
// The crystal and the potential of `bench snap`, and forces to compare with.

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
  /// Rows of the first atoms alone.
  atoms::NeighbourRows first_rows(Index count) const;
};

/// A periodic box of bcc tungsten, every atom off its place by up to 0.06 Angstrom along each axis:
/// the same numbers on every machine. With cutoffs of 4.71 to 5.06 Angstrom an atom has the 26
/// neighbours of three shells. @param cells along each edge, of two atoms
SnapSystem bcc_tungsten(Index cells, double cutoff);

/// Linear, of one element, with made-up coefficients: the same numbers on every machine, whose
/// forces are of some eV/Angstrom.
atoms::snap::SnapPotential made_up_potential(int twojmax);

/// The first element of PREFIX.snapcoeff and PREFIX.snapparam.
/// @throws InputError for a file that is wrong, or a potential that is not linear, or has channels
/// or an inner switch; MachineError if a file cannot be read
atoms::snap::SnapPotential potential_of_files(const std::string& prefix);

/// Forces on some atoms by the definition of SNAP in long double: Wigner's matrices by polynomials,
/// all products, and energies of an atom and its neighbours that carry their derivatives along.
/// Nothing of the methods' own is in it but Clebsch-Gordan coefficients. One element.
std::vector<Vec3<double>> reference_forces(const atoms::snap::SnapPotential& potential,
                                           const atoms::NeighbourRows& rows,
                                           std::span<const Index> atoms);

}  // namespace larmor::bench
