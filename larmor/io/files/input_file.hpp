#pragma once
// Files that a user names.

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace larmor::io {

/// First bytes of an HDF5 file, as results are.
inline constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};

/// Looks at a file before it is opened, so that its absence is the user's error.
/// @returns the path
/// @throws InputError for no file, a folder, a device; MachineError if it cannot be looked at
const std::string& require_input_file(const std::string& path);

/// Opens such a file, to read its bytes. Of a pipe it waits for the first of them; a pipe that
/// nobody opens to write within a few seconds is the user's error.
/// @throws InputError as above, MachineError if it cannot be opened, or if a signal that the
/// program catches ends the wait
std::ifstream open_input(const std::string& path);

/// For files that are read twice. @throws InputError if the file is a pipe
/// @param remedy for the user
void require_no_pipe(const std::string& path, const std::string& remedy);

/// Tells whether a file has changed: the `Checksum` of its bytes.
/// @throws InputError as above, MachineError if it cannot be read
std::uint64_t file_checksum(const std::string& path);

}  // namespace larmor::io
