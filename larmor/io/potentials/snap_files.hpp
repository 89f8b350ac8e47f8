#pragma once
// LAMMPS's files of SNAP potentials: .snapparam, with `key value` in every line, and .snapcoeff,
// with the coefficients of each element. `#` begins a comment anywhere.
// Format: https://docs.lammps.org/pair_snap.html.

#include <span>
#include <string>

#include "larmor/atoms/potentials/snap/snap_potential.hpp"

namespace larmor::io {

/// The potential for the given elements, in their order. Other elements of the files are left out.
/// @throws InputError with file, line and key for values that are missing, unknown, malformed,
/// given twice or of the wrong number; MachineError if a file cannot be read
atoms::snap::SnapPotential read_snap(const std::string& coefficients, const std::string& parameters,
                                     std::span<const std::string> elements);

/// The elements of a .snapcoeff file, in the order of the file.
/// @throws InputError, MachineError for the errors of read_snap
std::vector<std::string> read_snap_elements(const std::string& coefficients);

}  // namespace larmor::io
