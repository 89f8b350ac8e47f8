#pragma once
// POSCAR and CONTCAR files of VASP 5 and later: scale, cell, names and numbers of elements,
// positions (Direct or Cartesian), velocities. Format: https://www.vasp.at/wiki/index.php/POSCAR.

#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

/// Reads a structure. All directions are periodic. If a name is like W_pv or W_sv/1a2b, the element
/// is the part before "_" or "/". Data of VASP's dynamics behind the velocities are skipped.
/// @throws InputError with file, line and word for values that are malformed, not finite or
/// missing; MachineError if it cannot be read
AtomFrame read_poscar(const std::string& path);

/// A structure as text: atoms ordered by species, with Cartesian positions. Velocities in
/// Angstrom/fs follow if they are known. Ids and masses are left out.
/// @throws InputError for atoms without a cell, or a box with open directions
std::string poscar_text(const AtomFrame& frame);

}  // namespace larmor::io
