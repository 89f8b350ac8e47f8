#pragma once
// Groups of one HDF5 file copied into another.

#include <string>

#include "larmor/io/hdf5.hpp"

namespace larmor::io {

/// Copies a group with all in it, attributes and dimension scales too, to a path where there is
/// nothing yet. Scales lie within the group. @throws MachineError as Hdf5File
void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to);

}  // namespace larmor::io
