#pragma once
// The keywords of inpsd.dat, and the class of each.

#include <string>
#include <string_view>
#include <vector>

namespace larmor::imports::uppasd {

enum class KeywordClass {
  read,      ///< it becomes keys of the study
  unneeded,  ///< it only steers output, buffers, parallel work or a feature that is refused
  refused    ///< it changes the physics in a way that Larmor does not have, unless it is off
};

struct Keyword {
  const char* name;  ///< in lower case
  KeywordClass kind;
  /// read: the keys that it becomes. refused: the meaning of the keyword.
  const char* text = "";
  /// refused: the values that switch it off, separated by blanks.
  const char* off = "";
  /// refused: the remedy.
  const char* remedy = "";
};

/// All keywords that Larmor knows, in the order of their subjects.
const std::vector<Keyword>& keywords();

/// Null if there is no such keyword. @param name in lower case
const Keyword* find_keyword(std::string_view name);

/// The keywords as the table of the manual. [lines]
std::string keyword_table();

}  // namespace larmor::imports::uppasd
