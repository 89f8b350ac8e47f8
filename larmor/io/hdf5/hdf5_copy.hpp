#pragma once
// Groups of one HDF5 file copied into another, and whole files taken over by their successors.

#include <map>
#include <set>
#include <string>

#include "larmor/io/hdf5/hdf5_file.hpp"

namespace larmor::io {

/// Where in a file there is already what would be copied, by the name in its group.
using Links = std::map<std::string, std::string>;

/// Copies a group with all in it, attributes and dimension scales too, to a path where there is
/// nothing yet. Scales lie within what is copied.
/// @param links of the group's own contents: these are linked instead
/// @throws MachineError as Hdf5File
void copy_group(const Hdf5File& from, const std::string& group, Hdf5File& into,
                const std::string& to, const Links& links = {});

/// What a file does not take over as it is from the one before.
struct Differences {
  std::set<std::string> left_out;     ///< datasets, or groups with all in them
  std::set<std::string> rewritten;    ///< datasets that will be written again
  std::map<std::string, Index> rows;  ///< of series that are cut
};

/// Takes over all that a file holds into an empty one: objects with several paths stay one object.
/// @param into in mode `append`, of the same file: large datasets keep their place on the disk;
///        otherwise they are copied
/// @throws MachineError as Hdf5File
void take_over(const Hdf5File& from, Hdf5File& into, const Differences& differences);

/// Bytes of all datasets, and of those among them that `take_over` leaves in their place.
struct StoredBytes {
  std::uint64_t all = 0, in_place = 0;
};
StoredBytes stored_bytes(const Hdf5File& file);

}  // namespace larmor::io
