#include "cli/commands.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/shared/options.hpp"
#include "larmor/core/device/gpu_architecture.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

std::string joined(int argc, char** argv) {
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i ? " " : "") + std::string(argv[i]);
  return command;
}

/// @throws CLI::ParseError if the first word names no command
void require_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return;
  const std::string word = argv[1];
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  const bool is_option = word.starts_with("-");
  if (is_option) {
    names.clear();
    for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
    names.push_back("-h");
  }
  if (std::find(names.begin(), names.end(), word) != names.end()) return;
  std::string hint = did_you_mean(word, names);
  // There are few names, so a hint is safe even if the word is short.
  for (const std::string& name : names)
    if (hint.empty() && edit_distance(word, name) == 1) hint = "did you mean '" + name + "'?";
  throw CLI::ParseError(
      fmt::format("there is no {} '{}'{}{}; there are {}", is_option ? "option" : "command", word,
                  hint.empty() ? "" : "; ", hint, comma_list(names)),
      CLI::ExitCodes::ExtrasError);
}

constexpr const char* examples = R"(Examples:
  larmor new spin-waves             Write a commented starter study, spin-waves.toml.
  larmor convert inpsd.dat          Write the input of UppASD, TB2J or Vampire as a study.
  larmor check spin-waves.toml      Print the plan, time and memory; run nothing.
  larmor run spin-waves.toml        Run it; the results are in spin-waves.h5.
  larmor resume spin-waves.h5       Continue after Ctrl-C, a kill or a wall-time limit.
  larmor show spin-waves.h5         Print averages with error bars.
  larmor reweight sizes.h5          Compute curves from samples at several temperatures.
  larmor export spin-waves.h5       Write final spins as extended XYZ, for OVITO and ASE.
  larmor fit tungsten.toml          Fit a SNAP potential to configurations.
  larmor symmetry crystal.cif       Print the couplings that a crystal allows.
  larmor solve problem.json         Find the ground state of an Ising or QUBO problem.
  larmor plot spin-waves.h5         Draw pictures of the results.
  larmor report spin-waves.h5       Write one HTML page with pictures, numbers and warnings.
  larmor scaling sizes-reweighted.h5  Find a critical temperature and exponents.
)";

/// Text that `larmor --version` prints.
std::string version_text() {
  const std::string text = std::string(version) + " (" + commit + ")\n" + build;
  if (!built_with_cuda()) return text;
  return text + "\nkernels for GPUs of compute capability " +
         capabilities_text(kernel_architectures());
}

/// Functions that make the commands, in the order of the help.
constexpr std::unique_ptr<Command> (*makers[])() = {
    make_run,    make_resume,   make_check,   make_show,    make_reweight,
    make_export, make_evaluate, make_fit,     make_solve,   make_symmetry,
    make_new,    make_convert,  make_explain, make_devices, make_verify};

}  // namespace

void add_set_option(CLI::App& app, std::vector<std::string>& changes) {
  app.add_option("--set", changes,
                 "KEY=VALUE sets one key of the study. Dots join the names in KEY, and entries of "
                 "lists are numbered from 1. The option may be given several times")
      ->allow_extra_args(false);
}

void add_folder_option(CLI::App& app, std::string& folder) {
  app.add_option("--folder", folder,
                 "folder of the files that the study names (the folder of the study)")
      ->check(CLI::ExistingDirectory);
}

void add_progress_option(CLI::App& app, std::string& progress) {
  app.add_option("--progress", progress, "how to show progress")
      ->check(CLI::IsMember({"auto", "terminal", "plain", "json", "quiet"}));
}

int run_command(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "bench") exec_bench(argv + 1);
  if (argc > 1 && is_command_of_python(argv[1])) exec_python(argv + 1);
  CLI::App app(
      "Larmor simulates magnets, lattice models, quantum spins 1/2, spin glasses and atoms.",
      "larmor");
  app.footer(examples);
  app.set_version_flag("--version", version_text());
  app.require_subcommand(1);
  std::vector<std::unique_ptr<Command>> commands;
  for (const auto make : makers) {
    Command& command = *commands.emplace_back(make());
    CLI::App* const sub = app.add_subcommand(command.name, command.help);
    command.add_options(*sub);
    if (command.examples != nullptr) sub->footer(command.examples);
  }
  // These entries only list the commands: Python and larmor-bench parse their own words.
  for (const CommandOfPython& command : commands_of_python)
    app.add_subcommand(command.name, command.help);
  app.add_subcommand("bench", "Measure the speed, and compare it with the least possible time");
  try {
    require_command(app, argc, argv);
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return end_of_parsing(app, error);
  }
  const auto chosen = std::ranges::find_if(
      commands, [&](const auto& command) { return app.got_subcommand(command->name); });
  (*chosen)->command_line = joined(argc, argv);
  return (*chosen)->run();
}

}  // namespace larmor::cli
