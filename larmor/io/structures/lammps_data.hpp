#pragma once
// Data files of LAMMPS (read_data, write_data) of the atom styles atomic, charge and full, in metal
// units: header with any box, also a triclinic one; Masses, Atom Type Labels, Atoms, Velocities.
// Coefficients of potentials, charges and molecules are skipped; bonds are refused, as no potential
// here has any. Format: https://docs.lammps.org/read_data.html.

#include "larmor/io/structures/atom_frames.hpp"

namespace larmor::io {

/// Atoms in the order of their ids, all directions periodic, image flags added to the positions. An
/// element is what `names` gives; else what the file calls the type (label, or the comment behind
/// its mass); else what its mass says; else what `names` says otherwise.
/// @throws InputError naming file, line and word for whatever is malformed, not finite or missing;
/// MachineError if it cannot be read
AtomFrame read_lammps_data(const std::string& path, const TypeNames& names);

/// A structure as text: types in the order of its species, masses that are known or those of the
/// elements, without ids counted from 1. Numbers are written so that they read back as the same
/// ones. Which directions of the box are open is not said in such files, but by LAMMPS's boundary.
/// @throws InputError for atoms without a cell, or a left-handed one; atoms of one species whose
/// masses differ
std::string lammps_data_text(const AtomFrame& frame);

}  // namespace larmor::io
