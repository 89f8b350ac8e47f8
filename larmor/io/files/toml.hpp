#pragma once
// TOML 1.0 files to value trees.

#include <string>
#include <string_view>

#include "larmor/core/input/value.hpp"

namespace larmor::io {

/// A file's text. @throws InputError for a missing file, a directory, results, one over 64 MiB;
///         MachineError if it cannot be opened or read
std::string read_text(const std::string& path);

/// Reads a TOML file (UTF-8, at most 64 MiB). Tables keep the order of the file; every value knows
/// its line and column.
/// @throws InputError with position and remedy: no such file, a directory, binary contents, an
/// empty
///         file, TOML errors, dates; MachineError if the file cannot be opened or read
Value read_toml(const std::string& path);

/// The same for text in memory; `file_name` is what messages call it.
Value parse_toml(std::string_view text, std::string file_name);
/// Of one line, in place of which messages show another one with the same columns.
Value parse_toml_shown_as(std::string_view line, std::string file_name, std::string shown);

}  // namespace larmor::io
