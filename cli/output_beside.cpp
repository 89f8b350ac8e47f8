#include "cli/output_beside.hpp"

#include <cctype>
#include <filesystem>

#include "larmor/core/error.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {

std::string output_beside(const std::string& file, const std::string& ending) {
  std::filesystem::path path(file);
  path.replace_filename(path.stem().string() + ending);
  return path.string();
}

void require_no_study(const std::string& output) {
  std::string ending = std::filesystem::path(io::file_behind(output)).extension().string();
  for (char& letter : ending)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  if (ending == ".toml")
    throw InputError("the output '" + output + "' has the name of a study",
                     "choose another --output");
}

}  // namespace larmor::cli
