#pragma once
// The end of the programs: exit codes, error messages, and the removal of temporary files when a
// signal ends a program.

#include <atomic>
#include <exception>
#include <functional>
#include <string>

namespace larmor::cli {

/// Runs a program and returns its exit code. Reports exceptions, and failed writes to the standard
/// output, on stderr. If a signal that can be caught ends the program, its temporary files are
/// removed first. If a file exceeds the size limit of the process, its write fails without a
/// signal. Signals that are ignored from the start, as under nohup, stay ignored, except SIGINT and
/// SIGTERM.
int run_program(const std::function<int()>& program);

/// Reports an error on stderr: as text, or as a line of JSON if the environment variable
/// LARMOR_ERRORS is "json". @return exit code
int report_error(const std::exception& error);
/// Reports a wrong command line in the same way. @return exit code
int report_wrong_arguments(const std::string& text);

/// From now on the first SIGINT, SIGTERM or SIGHUP sets the returned number, which is 0 until then.
/// The second signal ends the program.
const std::atomic<int>& catch_signals();

/// From now on SIGTERM ends the program, even after `catch_signals`.
void end_on_sigterm();

}  // namespace larmor::cli
