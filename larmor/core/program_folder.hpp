#pragma once
// Where the running program lies, and with it what it opens or starts.

#include <filesystem>

namespace larmor {

/// The folder of the running program's file, whatever links it was started by.
std::filesystem::path program_folder();

}  // namespace larmor
