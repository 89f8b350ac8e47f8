#pragma once
// Opens and checks input files that a user names.

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>

namespace larmor::io {

/// First bytes of an HDF5 file, such as results.
inline constexpr std::string_view hdf5_signature{"\x89HDF\r\n\x1a\n", 8};

/// Checks a file before it is opened, so that a missing file is reported as an error of the user.
/// @returns the path
/// @throws InputError if there is no file, or for a folder or a device; MachineError if it cannot
/// be checked
const std::string& require_input_file(const std::string& path);

/// Opens a file that passes `require_input_file`, to read its bytes. For a pipe, it waits for the
/// first byte. If no program opens the pipe for writing within a few seconds, this is an error of
/// the user.
/// @throws InputError for the errors of require_input_file. MachineError if the file cannot be
/// opened, or if a signal that the program catches ends the wait
std::ifstream open_input(const std::string& path);

/// Refuses pipes, for files that are read twice. @throws InputError if the file is a pipe
/// @param remedy remedy for the user
void require_no_pipe(const std::string& path, const std::string& remedy);

/// The `Checksum` of a file's bytes, which shows whether it has changed.
/// @throws InputError for the errors of require_input_file, MachineError if the file cannot be read
std::uint64_t file_checksum(const std::string& path);

}  // namespace larmor::io
