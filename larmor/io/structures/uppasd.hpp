#pragma once
// Reads UppASD's posfile, momfile and jfile.
//
// UppASD counts each pair twice, H = - sum_{i != j} J_ij e_i.e_j  (J in mRy). Larmor counts each
// pair once, with the coupling J_ij + J_ji of the file. A row `i j r J` of a jfile names two sites
// of the posfile, but it applies to all sites of the type of i. Each of these sites is coupled with
// the site at the vector r from it, if that site has the type of j. Lengths are in lattice
// constants.

#include <array>
#include <string>
#include <vector>

#include "larmor/lattice/bonds.hpp"
#include "larmor/lattice/geometry.hpp"

namespace larmor::io {

/// Reads a posfile (`site type x y z`, Cartesian: posfiletype C) and, unless its name is empty, a
/// momfile (`site chem m ex ey ez`). Atoms have the order of their numbers. The species is the
/// number of the type, and the moment is m (mu_B). Directions are skipped.
/// @param cell rows are lattice vectors, in units of the lattice constant
/// @throws InputError for missing or malformed files, sites numbered twice or not at all, moments
/// that are not positive; more than one chemical type per site, a singular cell; MachineError if a
/// file cannot be read
std::vector<lattice::BasisAtom> read_uppasd_basis(const std::string& posfile,
                                                  const std::string& momfile,
                                                  const std::array<Vec3<double>, 3>& cell);

/// The directions (ex, ey, ez) of a momfile, unchanged [sites].
/// @throws InputError, MachineError for the errors of read_uppasd_basis
std::vector<Vec3<double>> read_uppasd_directions(const std::string& momfile, std::size_t sites);

struct UppasdCoupling {
  lattice::StencilBond bond;
  double J_mRy;  ///< counts each pair once: J_ij + J_ji of the file
};

/// Reads a jfile of rows `i j x y z J`; further columns are skipped.
///
/// `maptype` 1: (x, y, z) = r_j - r_i in units of `constant`; 2: the cell of j, integers.
/// `symmetry` completes each vector by operations about the axes x, y, z. "none" adds none. "cubic"
/// has the 48 operations of m-3m. "square" has the 8 of 4mm, which keep z. "hexagonal" has the 24
/// of 6/mmm with twofold axes along x and y. Images without an atom of the right type are skipped.
/// Bonds that are longer than the lattice along an open boundary are also skipped. Atoms of one
/// species have one type.
///
/// Both directions of a bond must follow from the file, with equal J to 1e-5 of the largest.
/// @param constant the lattice constant: geometry.crystal.cell is the jfile's cell times `constant`
/// @throws InputError for missing or malformed files, missing atoms, a bond without its reverse, a
/// file that couples no two sites, plain positions, another symmetry or maptype. Also for a vector
/// that connects no two atoms, is given twice or is an image of another, and for contradictory
/// rows. MachineError if the file cannot be read
std::vector<UppasdCoupling> read_jfile(const std::string& path, const lattice::Geometry& geometry,
                                       const std::string& symmetry, double constant,
                                       int maptype = 1);

/// Energy per atom inside a ferromagnet, away from open boundaries, as UppASD prints it (mRy).
/// @param basis_atoms atoms of the cell
double uppasd_ferromagnetic_energy_mRy(const std::vector<UppasdCoupling>& couplings,
                                       Index basis_atoms);

}  // namespace larmor::io
