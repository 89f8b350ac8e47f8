#pragma once
// Choice of the progress display for the terminal.

#include <string>

#include "larmor/core/progress.hpp"

namespace larmor::cli {

/// @param name value of `--progress`; "auto": terminal if stderr is a terminal, otherwise plain
ProgressMode progress_mode(const std::string& name);

/// Columns of stderr's terminal; 80 if stderr is not a terminal.
int terminal_width();

}  // namespace larmor::cli
