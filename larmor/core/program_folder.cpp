#include "larmor/core/program_folder.hpp"

#include <system_error>

namespace larmor {

std::filesystem::path program_folder() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
}

}  // namespace larmor
