#pragma once
// Messages about failures.

#include <exception>

namespace larmor::cli {

/// Says what went wrong. @return exit code
int explain_failure(const std::exception& error);

}  // namespace larmor::cli
