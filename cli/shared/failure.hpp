#pragma once
// Exit codes and error messages of the programs.

#include <exception>
#include <functional>

namespace larmor::cli {

/// Runs a program and returns its exit code. Exceptions are reported on stderr, as are failed
/// writes to the standard output.
int run_to_the_end(const std::function<int()>& program);

/// Reports an error on stderr. @return exit code
int explain_failure(const std::exception& error);

}  // namespace larmor::cli
