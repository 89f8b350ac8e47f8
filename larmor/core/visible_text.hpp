#pragma once
// Texts of files and names as they may stand in messages: nothing in them acts on a terminal.

#include <string>
#include <string_view>
#include <vector>

namespace larmor {

/// One character as it is shown.
struct VisibleCharacter {
  std::string text;
  int width;  ///< places that it takes
};

/// The characters of a text; of those that control a terminal, and of bytes that are no UTF-8, the
/// escape: \x1b, \n. A tab stays.
std::vector<VisibleCharacter> visible_characters(std::string_view text);

/// The whole text with these escapes. @param kept a control character that is not escaped
std::string visible(std::string_view text, char kept = '\t');

}  // namespace larmor
