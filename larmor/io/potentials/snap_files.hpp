#pragma once
// Files of SNAP potentials as LAMMPS has them: .snapparam, `key value` in every line, and
// .snapcoeff, the coefficients of each element. `#` begins a comment anywhere.
// Format: https://docs.lammps.org/pair_snap.html.

#include <span>
#include <string>

#include "larmor/atoms/potentials/snap/snap_potential.hpp"

namespace larmor::io {

/// The potential of some elements, in their order; others that the files have are left out.
/// @throws InputError naming file, line and key for whatever is missing, unknown, malformed, given
/// twice or of the wrong number; MachineError if a file cannot be read
atoms::snap::SnapPotential read_snap(const std::string& coefficients, const std::string& parameters,
                                     std::span<const std::string> elements);

/// The elements of a .snapcoeff file, in its order. @throws InputError, MachineError as read_snap
std::vector<std::string> read_snap_elements(const std::string& coefficients);

}  // namespace larmor::io
