#pragma once
// Escapes for texts of files and names in messages, so that they cannot control a terminal.

#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// A character as shown.
struct VisibleCharacter {
  std::string text;
  int width;  ///< columns that it takes
};

/// The characters of a text. Characters that control a terminal, and bytes that are not UTF-8,
/// become escapes: \x1b, \n. A tab stays.
std::vector<VisibleCharacter> visible_characters(std::string_view text);

/// The text with these escapes. @param kept a control character that is not escaped
std::string visible(std::string_view text, char kept = '\t');

}  // namespace larmor
