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
        "file); - prints the study, with paths relative to the folder of the file");
    app.add_flag("--anisotropic", options.anisotropic,
                 "TB2J: read anisotropic couplings also if the file comes from one direction of "
                 "the spins, which leaves a part of them undefined");
    app.add_flag("-f,--force", force, "replace an existing study");
  }

  int run() override {
    io::require_input_file(file);
    std::optional<imports::Import> import = imports::import_file(file, options);
    if (!import)
      throw InputError("'" + file + "' is not an input of another program that Larmor reads",
                       "name the main input file of one of these: " + imports::names_of_programs());
    for (const std::string& note : import->notes) fmt::print(stderr, "note: {}\n", visible(note));
    if (output == "-") {
      fmt::print("{}", imports::commented_toml(*import));
      return 0;
    }
    const fs::path folder = fs::path(file).parent_path();
    const fs::path path = output.empty()
                              ? folder / fs::path(file).filename().replace_extension(".toml")
                              : fs::path(output);
    const fs::path from = fs::absolute(file).parent_path(), to = fs::absolute(path).parent_path();
    if (from != to)
      import->study = imports::with_paths_from(import->study, from.string(), to.string());
    io::WholeFile study(path.string(), force ? io::IfExists::replace : io::IfExists::refuse);
    study.write(imports::commented_toml(*import));
    study.finish();
    print_text("{}\n", path.string());
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_convert() { return std::make_unique<Convert>(); }

}  // namespace larmor::cli
