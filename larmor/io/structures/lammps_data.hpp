#pragma once
// Data files of LAMMPS (read_data, write_data) with the atom styles atomic, charge and full, in
// metal units. They have a header with any box, also a triclinic one, and the sections Masses, Atom
// Type Labels, Atoms and Velocities. Coefficients of potentials, charges and molecules are skipped.
// Bonds are errors, because no potential here has bonds. Format:
// https://docs.lammps.org/read_data.html.

#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

/// Reads atoms in the order of their ids. All directions are periodic, and image flags are added to
/// the positions. An element comes from the first of these that exists: `names.given`; the file's
/// name of the type (label, or comment behind its mass); the mass of the type; `names.otherwise`.
/// @throws InputError with file, line and word for values that are malformed, not finite or
/// missing; MachineError if it cannot be read
AtomFrame read_lammps_data(const std::string& path, const TypeNames& names);

/// A structure as text. Types have the order of the structure's species. Masses are those of the
/// structure or otherwise of the elements. Without ids, atoms are counted from 1. Numbers read back
/// as equal values. Such files do not give the open directions of the box; LAMMPS's command
/// boundary does.
/// @throws InputError for atoms without a cell, or a left-handed one; atoms of one species with
/// different masses
std::string lammps_data_text(const AtomFrame& frame);

}  // namespace larmor::io
