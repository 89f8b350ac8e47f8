#pragma once
// Reads JSON files (RFC 8259) into value trees. Every value has its line and column, for messages.

#include <string>
#include <string_view>

#include "larmor/core/input/value.hpp"

namespace larmor::io {

/// @param file_name name of the text in messages
/// @throws InputError with position and remedy: text that is not JSON, a key given twice, null,
/// numbers beyond the range of double
Value parse_json(std::string_view text, std::string file_name);

}  // namespace larmor::io
