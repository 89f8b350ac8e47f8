// larmor plot, curves, report, scaling, plot-bench: replaces this process by Python, which draws
// pictures.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/program_folder.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

struct Python {
  fs::path interpreter;
  fs::path package;  ///< folder of the package `larmor`; empty: the interpreter knows it
};

bool is_file(const fs::path& path) {
  std::error_code none;
  return fs::is_regular_file(path, none);
}

/// The interpreter and the package that belong to this program: those of a virtual environment in
/// whose folder it lies, of an installation, or of a source tree. The variable LARMOR_PYTHON
/// replaces the interpreter.
Python find_python() {
  Python python{"python3", ""};
  const fs::path folder = program_folder();
  if (is_file(folder / "python3")) python.interpreter = folder / "python3";
  for (const fs::path& candidate : {folder / "../share/larmor/python", folder / "../../python"})
    if (python.package.empty() && is_file(candidate / "larmor/__init__.py"))
      python.package = candidate.lexically_normal();
  const fs::path of_source_tree = (folder / "../../.venv/bin/python").lexically_normal();
  if (python.package == (folder / "../../python").lexically_normal() && is_file(of_source_tree))
    python.interpreter = of_source_tree;
  if (const char* const chosen = std::getenv("LARMOR_PYTHON")) python.interpreter = chosen;
  return python;
}

}  // namespace

bool is_command_of_python(const std::string& name) {
  return std::ranges::any_of(commands_of_python,
                             [&](const auto& command) { return command.name == name; });
}

void exec_python(char** arguments) {
  const Python python = find_python();
  if (!python.package.empty()) {
    const char* const others = std::getenv("PYTHONPATH");
    const std::string path = python.package.string() + (others == nullptr ? "" : ":") +
                             (others == nullptr ? "" : others);
    setenv("PYTHONPATH", path.c_str(), 1);
  }
  setenv("LARMOR", (program_folder() / "larmor").c_str(), 0);
  std::string interpreter = python.interpreter.string();
  std::string option = "-m", module = "larmor";
  std::vector<char*> words{interpreter.data(), option.data(), module.data()};
  for (char** word = arguments; *word != nullptr; ++word) words.push_back(*word);
  words.push_back(nullptr);
  execvp(interpreter.c_str(), words.data());
  throw MachineError("'" + interpreter + "', which draws pictures, does not start: " +
                     std::generic_category().message(errno) +
                     "; install Python 3.10 or newer, or set LARMOR_PYTHON to its path");
}

void exec_python(std::vector<std::string> arguments) {
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  exec_python(words.data());
}

}  // namespace larmor::cli
