#pragma once
// Data files of LAMMPS (read_data, write_data) with the atom styles atomic, charge and full, in
// metal units: a header with any box, also a triclinic one, Masses, Atom Type Labels, Atoms,
// Velocities. Coefficients of potentials, charges and molecules are skipped. Bonds are errors, as
// no potential here has any. Format: https://docs.lammps.org/read_data.html.

#include "larmor/io/structures/frame_types.hpp"

namespace larmor::io {

/// Atoms in the order of their ids, all directions periodic, image flags added to the positions. An
/// element comes from the first of these that exists: `names.given`; the file's name of the type
/// (label, or comment behind its mass); the mass of the type; `names.otherwise`.
/// @throws InputError with file, line and word for values that are malformed, not finite or
/// missing; MachineError if it cannot be read
AtomFrame read_lammps_data(const std::string& path, const TypeNames& names);

/// A structure as text: types in the order of its species, its masses or those of the elements.
/// Without ids, atoms are counted from 1. Numbers read back as the same values. Such files do not
/// give the open directions of the box; LAMMPS's command boundary does.
/// @throws InputError for atoms without a cell, or a left-handed one; atoms of one species with
/// different masses
std::string lammps_data_text(const AtomFrame& frame);

}  // namespace larmor::io
