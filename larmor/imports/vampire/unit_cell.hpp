#pragma once
// Vampire's unit-cell file (.ucf): cell, atoms, and couplings
//
//     H = - sum_<ij> S_i^T J_ij S_j,      each pair once, J in joules, S unit vectors.
//
// The file lists both directions of each pair.

#include <array>
#include <string>
#include <vector>

#include "larmor/imports/bonds.hpp"

namespace larmor::imports::vampire {

struct UnitCellAtom {
  Vec3<double> fractional;
  int material = 0;  ///< counted from 0
  SourceMark where;
};

struct UnitCell {
  std::array<Vec3<double>, 3> cell{};  ///< rows are lattice vectors, Angstrom
  SourceMark cell_mark, file_mark;
  std::vector<UnitCellAtom> atoms;
  std::vector<Bond> rows;  ///< both directions of each pair, J
  /// Are couplings numbers that the exchange-matrix of the materials multiplies?
  bool normalised = false;
  /// Did a version of TB2J before 0.7 write it? Its couplings are half as large as in later ones.
  bool of_old_tb2j = false;
};

/// @throws InputError for malformed lines and wrong numbers of them, MachineError if the file
/// cannot be read
UnitCell read_unit_cell(const std::string& path);

}  // namespace larmor::imports::vampire
