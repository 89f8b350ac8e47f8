#pragma once
// JSON files (RFC 8259) to value trees. Every value knows its line and column, and messages show
// it.

#include <string>
#include <string_view>

#include "larmor/core/input/value.hpp"

namespace larmor::io {

/// @param file_name what messages call the text
/// @throws InputError with position and remedy: text that is no JSON, a key given twice, null,
/// numbers beyond the range of double
Value parse_json(std::string_view text, std::string file_name);

}  // namespace larmor::io
