#pragma once
// Couplings between the atoms of a cell, from files that list each pair in both directions.
//
//     H = - sum_<ij> e_i^T A_ij e_j,      each pair once, A_ji = A_ij^T, e unit vectors.

#include <array>
#include <string>
#include <vector>

#include "larmor/core/input/value.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/imports/import.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/spins/hamiltonian/mean_field.hpp"

namespace larmor::imports {

/// The coupling of an atom with an atom of another cell.
struct Bond {
  std::array<int, 2> atoms;   ///< counted from 0
  std::array<int, 3> offset;  ///< the cell of the second atom minus that of the first
  Mat3<double> A{};           ///< in the unit of the file
  SourceMark where;
};

/// How a program writes couplings.
struct BondConvention {
  std::string program;
  std::string unit;  ///< the unit of A, as in a study
  double eV;         ///< the unit in eV
  /// Larmor's A is `weight` (A_ij + A_ji^T) of the file: 1 if the program counts each pair twice,
  /// 1/2 if it counts each pair once.
  double weight;
  std::vector<std::string> atoms;  ///< names of the atoms, for messages
};

/// "the bond from Fe1 to Fe2 of the cell (0, 0, 1)"
std::string bond_text(const Bond& bond, const BondConvention& convention);

/// Each pair once, with Larmor's A. Pairs without coupling are left out.
/// @param rows couplings of a file
/// @param notes receives the largest difference between the two directions of a bond
/// @throws InputError for a bond of an atom with itself, a bond given twice or in one direction,
/// and for directions that contradict each other
std::vector<Bond> each_pair_once(const std::vector<Bond>& rows, const BondConvention& convention,
                                 std::vector<std::string>& notes);

/// Adds the tables [[exchange]], [[dmi]] and [[exchange-tensor]] of the bonds. Bonds of two atoms
/// with equal couplings share a table.
void add_bonds(const std::vector<Bond>& bonds, const std::string& unit, Value& study);

/// The mean-field T_c in K, as `larmor check` computes it; 0 without bonds.
spins::MeanFieldTemperature mean_field_temperature(const std::vector<Bond>& bonds,
                                                   const lattice::Crystal& crystal, double eV);

/// Numbers to compare with the other program: J0 of each atom by direction in the convention of the
/// program, the energies of ferromagnets, and the mean-field T_c.
std::vector<std::string> notes_on(const std::vector<Bond>& bonds,
                                  const spins::MeanFieldTemperature& T_c,
                                  const BondConvention& convention);

/// Adds the keys `size` and `periodic` of [lattice]: about a thousand cells, in which no bond meets
/// itself. Along a vector that no bond crosses, there is one cell with an open boundary.
void add_usual_size(const std::vector<Bond>& bonds, Value& lattice);

}  // namespace larmor::imports
