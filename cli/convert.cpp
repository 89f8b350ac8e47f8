// larmor convert: writes the input of another program as a study.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "larmor/core/error.hpp"
#include "larmor/imports/formats.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/files/input_file.hpp"
#include "larmor/study/scan/scan.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

struct Convert final : Command {
  std::string file, output;
  imports::ImportOptions options;
  bool force = false;

  Convert()
      : Command("convert", "Write the input of another program as a study",
                "Examples:\n"
                "  larmor convert inpsd.dat                  UppASD; write inpsd.toml.\n"
                "  larmor convert exchange.out -o iron.toml  TB2J.\n"
                "  larmor convert input -o -                 Vampire; print the study.\n") {}

  void add_options(CLI::App& app) override {
    app.add_option("file", file, "input of another program: " + imports::names_of_programs())
        ->required();
    app.add_option(
        "-o,--output", output,
        "study to write (the name of the file with the ending .toml, in the folder of the "
        "file); - prints the study");
    app.add_flag("--anisotropic", options.anisotropic,
                 "TB2J: read anisotropic couplings also if the file comes from one direction of "
                 "the spins, which leaves a part of them undefined");
    app.add_flag("-f,--force", force, "replace an existing study");
  }

  int run() override {
    io::require_input_file(file);
    const std::optional<imports::Import> import = imports::import_file(file, options);
    if (!import)
      throw InputError("'" + file + "' is not an input of another program that Larmor reads",
                       "name the main input file of one of these: " + imports::names_of_programs());
    const std::string text = imports::commented_toml(*import);
    for (const std::string& note : import->notes) fmt::print(stderr, "note: {}\n", visible(note));
    if (output == "-") {
      fmt::print("{}", text);
      return 0;
    }
    const fs::path folder = fs::path(file).parent_path();
    const fs::path path = output.empty()
                              ? folder / fs::path(file).filename().replace_extension(".toml")
                              : fs::path(output);
    io::WholeFile study(path.string(), force ? io::IfExists::replace : io::IfExists::refuse);
    study.write(text);
    study.finish();
    print_text("{}\n", path.string());
    if (fs::absolute(path).parent_path() != fs::absolute(file).parent_path())
      fmt::print(stderr,
                 "note: files that the study names lie in the folder of the input: run it with "
                 "--folder {}\n",
                 shell_word(folder.empty() ? "." : folder.string()));
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<Convert>(); }

}  // namespace larmor::cli
