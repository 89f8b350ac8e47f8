#pragma once
// Crystals from files: CIF, magnetic CIF, POSCAR and extended XYZ. All atoms are read. Some species
// have spins, the others only lower the symmetry.

#include <optional>
#include <string>
#include <vector>

#include "larmor/core/input/value.hpp"
#include "larmor/imports/import.hpp"
#include "larmor/lattice/crystal.hpp"
#include "larmor/symmetry/surroundings.hpp"

namespace larmor::imports {

struct CrystalFile {
  std::string program;  ///< "CIF", "magnetic CIF", "POSCAR" or "extended XYZ"
  std::string title;
  lattice::Crystal crystal;       ///< with all atoms of the cell; lengths in Angstrom
  std::vector<SourceMark> marks;  ///< of each atom
  SourceMark of_cell;
  std::vector<Vec3<double>> moments;  ///< mu_B, Cartesian [atoms]; empty: the file gives none
  std::vector<std::string> notes;
};

/// Is it one of the files that `read_crystal` reads?
bool is_crystal(const std::string& path);

/// @throws InputError for a malformed file, or atoms without a periodic cell; MachineError if the
/// file cannot be read
CrystalFile read_crystal(const std::string& path);

/// The atoms with spins, and the others.
struct SpinCrystal {
  lattice::Crystal crystal;
  symmetry::Surroundings surroundings;
  std::vector<Vec3<double>> moments;  ///< [atoms with spins], or empty
  std::vector<std::size_t> numbers;   ///< [atoms with spins], among all atoms of the file
  std::string choice;                 ///< for users: how the atoms were chosen
};

/// @param species the species with spins. If empty: atoms with moments if the file gives moments,
/// or else elements that often have them, or else all atoms
/// @throws InputError for a species that the crystal lacks
SpinCrystal with_spins(const CrystalFile& file, const std::vector<std::string>& species);

/// A study of the crystal, without couplings. Its notes have the tables of couplings that the
/// symmetry allows.
Import study_of(const CrystalFile& file, const SpinCrystal& spins);

}  // namespace larmor::imports
