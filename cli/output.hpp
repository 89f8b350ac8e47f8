#pragma once
// Output of commands: names of files, text on the terminal, and the progress display.

#include <fmt/core.h>

#include <string>
#include <utility>

#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"

namespace larmor::cli {

/// Name in the folder of a file, from its name: ("cells/bulk.data", "-evaluated.extxyz") ->
/// "cells/bulk-evaluated.extxyz"
std::string default_output(const std::string& file, const std::string& ending);

/// @throws InputError for FILE.toml, because --force must not replace a study
void require_no_study(const std::string& output);

/// Prints like fmt::print. Control characters, which may come from a file, are escaped.
template <class... Values>
void print_text(fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("{}", visible(fmt::format(format, std::forward<Values>(values)...), '\n'));
}

/// Mode and width of the display on stderr. "auto": terminal if stderr is a terminal, otherwise
/// plain. @param mode value of `--progress`
ProgressOptions progress_options(const std::string& mode);

}  // namespace larmor::cli
