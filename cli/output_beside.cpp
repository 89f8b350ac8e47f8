#include "cli/output_beside.hpp"

#include <filesystem>

namespace larmor::cli {

std::string output_beside(const std::string& file, const std::string& ending) {
  std::filesystem::path path(file);
  path.replace_filename(path.stem().string() + ending);
  return path.string();
}

}  // namespace larmor::cli
