#pragma once
// Text as JSON writes it.

#include <string>

namespace larmor {

/// In quotes, with everything escaped that must be. @param text UTF-8
std::string json_string(const std::string& text);

}  // namespace larmor
