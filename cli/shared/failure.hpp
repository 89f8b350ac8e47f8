#pragma once
// How the programs end.

#include <exception>
#include <functional>

namespace larmor::cli {

/// Runs a program to its exit code. Whatever it throws is told on stderr, and so is output that the
/// standard output did not take.
int run_to_the_end(const std::function<int()>& program);

/// Says on stderr what went wrong; the exit code.
int explain_failure(const std::exception& error);

}  // namespace larmor::cli
