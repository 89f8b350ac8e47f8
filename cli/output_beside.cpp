#include "cli/output_beside.hpp"

#include <filesystem>

#include "larmor/core/error.hpp"

namespace larmor::cli {

std::string output_beside(const std::string& file, const std::string& ending) {
  std::filesystem::path path(file);
  path.replace_filename(path.stem().string() + ending);
  return path.string();
}

void require_no_study(const std::string& output) {
  if (std::filesystem::path(output).extension() == ".toml")
    throw InputError("the output '" + output + "' has the name of a study",
                     "choose another --output");
}

}  // namespace larmor::cli
