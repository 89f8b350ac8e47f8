// larmor new: commented starter studies.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <list>
#include <vector>

#include "cli/commands.hpp"
#include "cli/starters.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/io/files/durable_file.hpp"

namespace larmor::cli {
namespace {

/// The first line of a starter, without the sign of a comment.
std::string doc_of(const Starter& starter) {
  const std::string line = starter.text.substr(0, starter.text.find('\n'));
  return line.substr(line.find(' ') + 1);
}

std::string list_of_starters() {
  std::string list;
  for (const Starter& starter : starters())
    list += fmt::format("  {:<18} {}\n", starter.kind, doc_of(starter));
  return list;
}

const Starter& starter_of(const std::string& kind) {
  const auto found = std::ranges::find(starters(), kind, &Starter::kind);
  if (found != starters().end()) return *found;
  std::vector<std::string> kinds;
  for (const Starter& starter : starters()) kinds.push_back(starter.kind);
  throw InputError("no starter study is called '" + kind + "'", hint_and_list(kind, kinds));
}

struct New final : Command {
  std::string kind, path;
  bool force = false;

  New() : Command("new", "Write a commented starter study", help_of_kinds()) {}

  void add_options(CLI::App& app) override {
    app.add_option("kind", kind, "kind of study. If left out, the command lists the kinds");
    app.add_option("path", path, "file to write (KIND.toml)");
    app.add_flag("-f,--force", force, "replace existing files");
  }

  int run() override {
    if (kind.empty() || kind == "list") {
      fmt::print("{}", list_of_starters());
      return 0;
    }
    const Starter& starter = starter_of(kind);
    const std::filesystem::path main = path.empty() ? kind + starter.ending : path;
    const io::IfExists if_exists = force ? io::IfExists::replace : io::IfExists::refuse;
    // No file is written if one of them exists.
    std::list<io::WholeFile> files;
    const auto add = [&](const std::filesystem::path& name, const std::string& text) {
      files.emplace_back(name.string(), if_exists).write(text);
    };
    for (const Starter::File& file : starter.files) add(main.parent_path() / file.name, file.text);
    add(main, starter.text);
    for (io::WholeFile& file : files) file.finish();
    fmt::print("{}\n", main.string());
    return 0;
  }

 private:
  static const char* help_of_kinds() {
    static const std::string text =
        "Examples:\n  larmor new ising\n  larmor new md tungsten.toml\n\nKinds:\n" +
        list_of_starters();
    return text.c_str();
  }
};

}  // namespace

std::unique_ptr<Command> make_new() { return std::make_unique<New>(); }

}  // namespace larmor::cli
