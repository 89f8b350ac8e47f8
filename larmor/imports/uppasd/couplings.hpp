#pragma once
// Files of couplings: exchange, dm, bq.
//
//   i j r(3) values          do_ralloy 1: i j chem_i chem_j r(3) values
//   values: J, nine numbers of a tensor by rows, D(3), or b, in mRy
//
// A row names two sites of the posfile, but it applies to all sites of the type of i. UppASD's
// Hamiltonian counts each pair twice, and Larmor's counts it once:
//
//   UppASD  H = - sum_(i != j) [ e_i^T J_ij e_j + D_ij.(e_i x e_j) + b_ij (e_i.e_j)^2 ]
//   Larmor  a pair has J_ij + J_ji^T, D_ij - D_ji, b_ij + b_ji
//
// Symmetry completes the vectors of exchange and bq, and not those of dm.

#include <array>
#include <string>
#include <vector>

#include "larmor/imports/pairs.hpp"
#include "larmor/imports/uppasd/crystal.hpp"
#include "larmor/imports/uppasd/quantities.hpp"

namespace larmor::imports::uppasd {

enum class CouplingKind { exchange, tensor, dmi, biquadratic };

/// The numbers of a coupling. Kinds with fewer than nine numbers use the first ones.
using CouplingNumbers = std::array<double, 9>;

/// A pair of sites, once, and its translates.
struct Coupling {
  BondEnds ends;            ///< with chemical types, which are 1 without an alloy
  Vec3<double> r;           ///< from one end to the other, in lattice constants
  CouplingNumbers numbers;  ///< mRy, in Larmor's convention
  SourceMark row, value;    ///< places in the file
};

/// Reads the file that `entry` names. @param scale a factor of all numbers
/// @throws InputError for rows that contradict each other or the lattice, and for a bond without
/// its reverse; MachineError if the file cannot be read
std::vector<Coupling> read_couplings(const InputFile& input, const Entry& entry, CouplingKind kind,
                                     const UppasdCrystal& crystal, double scale,
                                     std::vector<std::string>& notes);

/// Adds tables to the study. Pairs with equal numbers and equal atoms share a table. Tensors that
/// are isotropic become [[exchange]].
void set_couplings(Value& study, CouplingKind kind, const std::vector<Coupling>& couplings,
                   const UppasdCrystal& crystal, const Quantities& quantities);

}  // namespace larmor::imports::uppasd
