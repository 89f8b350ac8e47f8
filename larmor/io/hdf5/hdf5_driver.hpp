#pragma once
// The file driver through which HDF5 reads and writes here.
//
// HDF5 cannot recover from a failed write: the file stays half open and the program may hang or
// crash when the library shuts down. This driver notes the first error and lets HDF5 go on as if
// nothing had happened, so that everything closes cleanly; the writer looks at the note and throws
// the file away. It takes no locks either, which some network file systems refuse.
//
// FORMAT: a file can also be appended to: HDF5 believes that it creates a file, but the driver
// places all that it allocates behind what the file holds, and keeps the superblock, the 96 bytes
// at the beginning that say where the root group is, for the caller to write last. Until then the
// file is what it was; from then on it is the new one, and whoever still reads the old one can go
// on.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "larmor/io/hdf5/hdf5_handle.hpp"

namespace larmor::io {

/// Bytes of a file, from an address on.
struct Stretch {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// What the driver knows of a file that is appended to.
struct Appending {
  std::uint64_t begin = 0;            ///< nothing before it is written
  std::vector<std::byte> superblock;  ///< for the caller to write at the beginning
  Stretch adopted;                    ///< holds the raw data that HDF5 allocates and writes next
  bool misplaced = false;             ///< HDF5 wanted to write before `begin`
};

/// An open file as HDF5 sees it; must outlive the HDF5 file.
struct DrivenFile {
  int descriptor = -1;  ///< read from and written to; its owner closes it
  int first_error = 0;  ///< errno of the first write that failed
  std::optional<Appending> appending;
  /// While this is set, raw data are not read: it becomes the place where they are.
  std::optional<Stretch> located;
};

/// File access properties (for H5Fcreate, H5Fopen) that use an open file.
/// @throws MachineError if HDF5 refuses
Hdf5Handle file_access(DrivenFile& file);

}  // namespace larmor::io
