#pragma once
// The folder of the running program and of the files that it opens or starts.

#include <filesystem>
#include <system_error>

namespace larmor {

/// The folder of the program's file; links are followed.
inline std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace larmor
