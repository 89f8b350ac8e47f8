#pragma once
// CIF and magnetic CIF (https://www.iucr.org/resources/cif), by gemmi: cell, symmetry, sites and
// moments.

#include <string>

#include "larmor/imports/crystal_file.hpp"

namespace larmor::imports {

/// Is it a CIF? Its name ends in .cif or .mcif, or it begins with a data block.
bool is_cif(const std::string& path);

/// All atoms of the cell. Sites are moved onto their symmetry elements, because files have few
/// digits.
/// @throws InputError with the line for syntax errors, missing or malformed numbers, unknown
/// symmetry, sites at one place, and moments that the symmetry forbids; MachineError if the file
/// cannot be read
CrystalFile read_cif_crystal(const std::string& path);

/// The crystal as a study without couplings.
/// @throws InputError, MachineError as read_cif_crystal
Import read_cif(const std::string& path, const ImportOptions& options = {});

bool is_poscar(const std::string& path);

/// The crystal as a study without couplings.
/// @throws InputError, MachineError as io::read_poscar
Import read_poscar(const std::string& path, const ImportOptions& options = {});

}  // namespace larmor::imports
