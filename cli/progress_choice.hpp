#pragma once
// How commands show their progress on the terminal that they have.

#include <string>

#include "larmor/core/progress.hpp"

namespace larmor::cli {

/// @param name of `--progress`; "auto": terminal where stderr is one, else plain
ProgressMode progress_mode(const std::string& name);

/// Columns of stderr's terminal; 80 where it is none.
int terminal_width();

}  // namespace larmor::cli
