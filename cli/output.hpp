#pragma once
// Output of commands: names of files, text on the terminal, and the progress display.

#include <fmt/core.h>

#include <string>
#include <utility>

#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"

namespace larmor::cli {

/// Name of an output in the folder of `file`: its name, with `ending` instead of its own ending.
/// ("cells/bulk.data", "-evaluated.extxyz") gives "cells/bulk-evaluated.extxyz".
std::string default_output(const std::string& file, const std::string& ending);

/// @throws InputError if the output is called NAME.toml, because --force must not replace a study
void require_no_study(const std::string& output);

/// Prints like fmt::print. Control characters, which may come from a file, are escaped.
template <class... Values>
void print_text(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}", visible(fmt::format(format, std::forward<Values>(values)...), '\n'));
}

/// Mode and width of the progress display on stderr. With "auto", the mode is `terminal` if stderr
/// is a terminal, and `plain` otherwise. @param mode value of `--progress`
ProgressOptions progress_options(const std::string& mode);

}  // namespace larmor::cli
