#pragma once
// Groups of one HDF5 file copied into another.

#include <map>
#include <string>

#include "larmor/io/hdf5.hpp"

namespace larmor::io {

/// Where in a file there is already what would be copied, by the name in its group.
using Links = std::map<std::string, std::string>;

/// Copies a group with all in it, attributes and dimension scales too, to a path where there is
/// nothing yet. Scales lie within what is copied.
/// @param links of the group's own contents: these are linked instead
/// @throws MachineError as Hdf5File
void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to, const Links& links = {});

}  // namespace larmor::io
