#pragma once
// Data files of LAMMPS (read_data, write_data) of atom style atomic, in metal units: header with
// any box, also a triclinic one; Masses, Atom Type Labels, Atoms, Velocities. Coefficients of
// potentials are skipped. Format: https://docs.lammps.org/read_data.html.

#include "larmor/io/atom_frames.hpp"

namespace larmor::io {

/// Atoms in the order of their ids, all directions periodic, image flags added to the positions. An
/// element is what `names` gives; else what the file calls the type (label, or the comment behind
/// its mass); else what its mass says; else what `names` says otherwise.
/// @throws InputError naming file, line and word for whatever is malformed, not finite or missing;
/// MachineError if it cannot be read
AtomFrame read_lammps_data(const std::string& path, const TypeNames& names);

}  // namespace larmor::io
