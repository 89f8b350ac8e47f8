#pragma once
// The folder of the running program and of the files that it opens or starts.

#include <filesystem>

namespace larmor {

/// The folder of the program's file; links are followed.
std::filesystem::path program_folder();

}  // namespace larmor
