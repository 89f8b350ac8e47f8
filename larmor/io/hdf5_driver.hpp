#pragma once
// The file driver through which HDF5 reads and writes here.
//
// HDF5 cannot recover from a failed write: the file stays half open and the program may hang or
// crash when the library shuts down. This driver notes the first error and lets HDF5 go on as if
// nothing had happened, so that everything closes cleanly; the writer looks at the note and throws
// the file away. It takes no locks either, which some network file systems refuse.

#include "larmor/io/hdf5_handle.hpp"

namespace larmor::io {

/// File access properties (for H5Fcreate, H5Fopen) that use an open file.
/// @param descriptor read from and written to; stays open, its owner closes it
/// @param first_error becomes errno of the first write that failed; must outlive the HDF5 file
/// @throws MachineError if HDF5 refuses
Hdf5Handle file_access(int descriptor, int* first_error);

}  // namespace larmor::io
