#include "cli/output.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cctype>
#include <filesystem>

#include "larmor/core/error.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {

std::string default_output(const std::string& file, const std::string& ending) {
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

ProgressOptions progress_options(const std::string& mode) {
  ProgressOptions options;
  options.mode = mode == "terminal" || (mode == "auto" && isatty(STDERR_FILENO))
                     ? ProgressMode::terminal
                 : mode == "json"  ? ProgressMode::json
                 : mode == "quiet" ? ProgressMode::quiet
                                   : ProgressMode::plain;
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.width = size.ws_col;
  return options;
}

}  // namespace larmor::cli
