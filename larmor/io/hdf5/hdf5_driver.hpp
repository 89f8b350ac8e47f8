#pragma once
// The file driver for HDF5 in this program.
//
// HDF5 cannot recover from a failed write: the file stays half open, and the program may hang or
// crash when the library shuts down. This driver records the first error and reports success to
// HDF5, so that everything closes cleanly. The writer then checks the record and discards the file.
// The driver takes no locks, which some network file systems refuse.
//
// FORMAT: a file can also be appended to. HDF5 then acts as if it created a new file. The driver
// places everything behind the old contents. It stores the superblock in memory: the 96 bytes at
// the beginning with the address of the root group. The caller writes them last. Until then the
// file has its old contents, then the new ones. Readers of the old contents can continue.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "larmor/io/hdf5/hdf5_handle.hpp"

namespace larmor::io {

/// A range of bytes of a file.
struct ByteRange {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

/// State of the driver for a file that is appended to.
struct Appending {
  std::uint64_t begin = 0;            ///< bytes before it are never written
  std::vector<std::byte> superblock;  ///< for the caller to write at the beginning
  ByteRange adopted;                  ///< place of the raw data that HDF5 allocates and writes next
  bool misplaced = false;             ///< HDF5 tried to write before `begin`
};

/// An open file for HDF5; must outlive the HDF5 file.
struct DrivenFile {
  int descriptor = -1;  ///< for reads and writes; its owner closes it
  int first_error = 0;  ///< errno of the first write that failed
  std::optional<Appending> appending;
  /// While `located` is set, raw data are not read. Instead, their place is stored here.
  std::optional<ByteRange> located;
};

/// File access properties (for H5Fcreate, H5Fopen) that use an open file.
/// @throws MachineError if HDF5 refuses
Hdf5Handle file_access(DrivenFile& file);

}  // namespace larmor::io
