#pragma once
// Handling of signals that end a program, without leaving temporary files.

#include <atomic>

namespace larmor::cli {

/// Called first. Signals that end the program, and can be caught, remove temporary files first. A
/// file above the size limit of the process is an error of its writer, not a signal. Signals
/// ignored from the start, as under nohup, stay ignored, except SIGINT and SIGTERM.
void end_tidily_on_signals();

/// From now on the first SIGINT, SIGTERM or SIGHUP sets this number, which is 0 before; the second
/// ends the program.
const std::atomic<int>& catch_signals();

/// From now on SIGTERM ends the program, even after `catch_signals`.
void end_on_sigterm();

}  // namespace larmor::cli
