#pragma once
// Signals that ask a program to end: no temporary file is left.

#include <atomic>

namespace larmor::cli {

/// First of all: signals that end the program, and can be caught, remove temporary files first; a
/// file that grows beyond the limit of the process is an error of its writer, not a signal. A
/// program that was started to ignore one, as by nohup, goes on to do so, but for SIGINT and
/// SIGTERM.
void end_tidily_on_signals();

/// From now on the first SIGINT, SIGTERM or SIGHUP is told by its number, which is 0 before; the
/// second ends the program.
const std::atomic<int>& catch_signals();

/// From now on SIGTERM ends the program, even if `catch_signals` was asked for.
void end_on_sigterm();

}  // namespace larmor::cli
