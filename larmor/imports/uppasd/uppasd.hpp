#pragma once
// Studies from the inputs of UppASD: inpsd.dat and the files that it names.

#include <string>

#include "larmor/imports/import.hpp"

namespace larmor::imports {

/// Does a file look like an inpsd.dat? False for a file that is missing or cannot be read.
bool is_uppasd_input(const std::string& path);

/// The study of an inpsd.dat. Its files are relative to the folder of inpsd.dat.
/// @throws InputError for keywords and values that Larmor does not have, at their line; for
/// missing, short or contradictory files; MachineError if a file cannot be read
Import read_uppasd(const std::string& path, const ImportOptions& options = {});

}  // namespace larmor::imports
