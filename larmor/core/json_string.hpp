#pragma once
// Strings of JSON.

#include <string>

namespace larmor {

/// The text as a JSON string, quoted and escaped. @param text UTF-8
std::string json_string(const std::string& text);

}  // namespace larmor
