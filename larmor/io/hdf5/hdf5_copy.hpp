#pragma once
// Copies groups between HDF5 files, and transfers whole files to their successors.

#include <map>
#include <set>
#include <string>

#include "larmor/io/hdf5/hdf5_file.hpp"

namespace larmor::io {

/// Paths in the target file of the members that are linked instead of copied, by their names.
using Links = std::map<std::string, std::string>;

/// Copies a group with its contents, attributes and dimension scales to a new path. Scales must be
/// in the copied group.
/// @param links members of the group that are linked instead of copied
/// @throws MachineError for the errors of Hdf5File
void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to, const Links& links = {});

/// Differences between a file and its successor.
struct Differences {
  std::set<std::string> left_out;     ///< datasets, or groups with their contents
  std::set<std::string> rewritten;    ///< datasets that will be written again
  std::map<std::string, Index> rows;  ///< remaining rows of shortened series
};

/// Transfers the contents of a file to an empty one. An object with several paths stays one object.
/// @param into if it is the file of `from` in mode `append`, large datasets keep their place on the
/// disk; otherwise they are copied
/// @throws MachineError for the errors of Hdf5File
void transfer_file(const Hdf5File& from, Hdf5File& into, const Differences& differences);

/// Bytes of all datasets, and of those that `transfer_file` leaves in place.
struct StoredBytes {
  std::uint64_t all = 0, in_place = 0;
};
StoredBytes stored_bytes(const Hdf5File& file);

}  // namespace larmor::io
