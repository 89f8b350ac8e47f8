#pragma once
// Reads TOML 1.0 files into value trees.

#include <string>
#include <string_view>

#include "larmor/core/input/value.hpp"

namespace larmor::io {

/// A file's text. @throws InputError for a missing file, a directory, results, a file over 64 MiB;
/// MachineError if it cannot be opened or read
std::string read_text(const std::string& path);

/// Reads a TOML file (UTF-8, at most 64 MiB). Tables keep the order of the file; every value has
/// its line and column.
/// @throws InputError with position and remedy: no such file, a directory, binary contents, an
/// empty file, TOML errors, dates; MachineError if the file cannot be opened or read
Value read_toml(const std::string& path);

/// Parses TOML text in memory; messages call it `file_name`.
Value parse_toml(std::string_view text, std::string file_name);
/// Parses one line. Messages show the line `shown` instead, which has its columns at equal places.
Value parse_toml_shown_as(std::string_view line, std::string file_name, std::string shown);

}  // namespace larmor::io
