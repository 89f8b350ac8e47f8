#pragma once
// What went wrong, in words.

#include <exception>

namespace larmor::cli {

/// Says what went wrong. @return exit code
int explain_failure(const std::exception& error);

}  // namespace larmor::cli
