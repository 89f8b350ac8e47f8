#pragma once
// JSON files (RFC 8259) to value trees. Every value knows its line and column, and messages show
// it.

#include <string>
#include <string_view>

#include "larmor/core/input/value.hpp"

namespace larmor::io {

/// @throws InputError with position and remedy: no such file, text that is no JSON, a key given
/// twice, null, numbers beyond the range of double; MachineError if it cannot be read
Value read_json(const std::string& path);

/// The same for text in memory; `file_name` is what messages call it.
Value parse_json(std::string_view text, std::string file_name);

}  // namespace larmor::io
