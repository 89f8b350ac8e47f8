#pragma once
// The commands of `larmor`. The code of each command is in the source with its name.

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace larmor::cli {

/// A command. A derived type has the values of its options as members.
struct Command {
  const char* name;
  const char* help;
  const char* examples;      ///< printed after the help; null: those of all commands
  std::string command_line;  ///< for provenance; set before `run`

  explicit Command(const char* its_name, const char* its_help, const char* its_examples = nullptr)
      : name(its_name), help(its_help), examples(its_examples) {}
  virtual ~Command() = default;

  virtual void add_options(CLI::App&) {}
  /// @return exit code
  virtual int run() = 0;
};

std::unique_ptr<Command> make_run();
std::unique_ptr<Command> make_resume();
std::unique_ptr<Command> make_check();
std::unique_ptr<Command> make_show();
std::unique_ptr<Command> make_reweight();
std::unique_ptr<Command> make_export();
std::unique_ptr<Command> make_evaluate();
std::unique_ptr<Command> make_fit();
std::unique_ptr<Command> make_solve();
std::unique_ptr<Command> make_symmetry();
std::unique_ptr<Command> make_new();
std::unique_ptr<Command> make_convert();
std::unique_ptr<Command> make_explain();
std::unique_ptr<Command> make_devices();
std::unique_ptr<Command> make_verify();

/// Replaces this process by larmor-bench from the folder of this program.
/// @param arguments command line; its first word `bench` is replaced by the name of that program
/// @throws MachineError if it does not start
[[noreturn]] void exec_bench(char** arguments);

/// A command that the Python package has.
struct CommandOfPython {
  std::string name, help;
};
inline const CommandOfPython commands_of_python[] = {
    {"plot", "Draw pictures of a results file"},
    {"curves", "Write the numbers of pictures as CSV"},
    {"report", "Write a report of a results file as one HTML page"},
    {"scaling", "Find critical temperatures and exponents by finite-size scaling"},
    {"plot-bench", "Draw measurements of larmor bench"}};
bool is_command_of_python(const std::string& name);

/// Replaces this process by `python -m larmor`.
/// @param arguments the name of the command and its arguments, with a null pointer at the end
/// @throws MachineError if Python does not start
[[noreturn]] void exec_python(char** arguments);
[[noreturn]] void exec_python(std::vector<std::string> arguments);

/// Adds `--set`. @param changes changes of keys of the study, as for study::with_changes
void add_set_option(CLI::App& app, std::vector<std::string>& changes);
/// Adds `--folder`, the folder of the files that a study names.
void add_folder_option(CLI::App& app, std::string& folder);
/// Adds `--progress`. @param progress for `progress_options`
void add_progress_option(CLI::App& app, std::string& progress);

/// Parses the command line and runs the command. @return exit code
int run_command(int argc, char** argv);

}  // namespace larmor::cli
