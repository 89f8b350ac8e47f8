#include "larmor/core/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "larmor/core/text.hpp"

namespace larmor {
namespace {

constexpr int widest_line = 92;  // most characters of the user's line after its number

std::string location(const SourcePosition& where) {
  if (where.file.empty()) return "";
  std::string text = visible(where.file) + ":";
  if (where.line > 0) text += std::to_string(where.line) + ":";
  if (where.line > 0 && where.column > 0) text += std::to_string(where.column) + ":";
  return text + " ";
}

/// The user's line and a caret under the column. A long line is cut around the caret.
std::string excerpt(const SourcePosition& where) {
  if (where.line <= 0 || where.line_text.empty()) return "";
  const std::vector<VisibleCharacter> characters = visible_characters(where.line_text);
  const int size = static_cast<int>(characters.size());
  const int caret = std::clamp(where.column - 1, 0, size);
  const int start =
      size <= widest_line ? 0 : std::clamp(caret - widest_line / 2, 0, size - widest_line);
  const int end = std::min(size, start + widest_line);

  std::string shown = start > 0 ? "..." : "";
  std::string padding(shown.size(), ' ');
  for (int i = start; i < end; ++i) {
    const VisibleCharacter& character = characters[static_cast<std::size_t>(i)];
    shown += character.text;
    if (i < caret)
      padding += character.text == "\t"
                     ? "\t"
                     : std::string(static_cast<std::size_t>(character.width), ' ');
  }
  if (end < size) shown += "...";

  std::string number = std::to_string(where.line);
  number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
  std::string text = "\n";
  text += number + " | " + shown;
  if (where.column > 0) {
    text += '\n';
    text.append(number.size(), ' ');
    text += " | " + padding + "^";
  }
  return text;
}

std::string message(const std::string& problem, const SourcePosition& where,
                    const std::string& remedy) {
  std::string text = location(where) + "error: " + visible(problem) + excerpt(where);
  if (!remedy.empty()) text += "\n  help: " + visible(remedy);
  return text;
}

}  // namespace

Error::Error(const std::string& text) : std::runtime_error(visible(text, '\n')) {}

InputError::InputError(const std::string& problem, const SourcePosition& where,
                       const std::string& remedy)
    : Error(Visible{message(problem, where, remedy)}),
      problem_(problem),
      remedy_(remedy),
      where_(where) {}

InputError::InputError(const std::string& problem, const std::string& remedy)
    : InputError(problem, SourcePosition{}, remedy) {}

}  // namespace larmor
