#include "larmor/core/error.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace larmor {
namespace {

constexpr int widest_line = 92;  // code points of the user's line that fit beside the number

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// The line cut into code points, control characters made visible so that they cannot act on a
/// terminal.
std::vector<std::string> code_points(const std::string& line) {
  std::vector<std::string> points;
  for (const char c : line) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_continuation_byte(c) && !points.empty()) {
      points.back() += c;
    } else if ((byte < 0x20 && c != '\t') || byte == 0x7F) {
      points.emplace_back("?");
    } else {
      points.emplace_back(1, c);
    }
  }
  return points;
}

std::string location(const SourcePosition& where) {
  if (where.file.empty()) return "";
  std::string text = where.file + ":";
  if (where.line > 0) text += std::to_string(where.line) + ":";
  if (where.line > 0 && where.column > 0) text += std::to_string(where.column) + ":";
  return text + " ";
}

/// The user's line and a caret under the column; of a long line the part around the caret.
std::string excerpt(const SourcePosition& where) {
  if (where.line <= 0 || where.line_text.empty()) return "";
  const auto points = code_points(where.line_text);
  const int size = static_cast<int>(points.size());
  const int caret = std::clamp(where.column - 1, 0, size);
  const int start =
      size <= widest_line ? 0 : std::clamp(caret - widest_line / 2, 0, size - widest_line);
  const int end = std::min(size, start + widest_line);

  std::string shown = start > 0 ? "..." : "";
  std::string padding(shown.size(), ' ');
  for (int i = start; i < end; ++i) {
    shown += points[i];
    if (i < caret) padding += points[i] == "\t" ? '\t' : ' ';
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
  std::string text = location(where) + "error: " + problem + excerpt(where);
  if (!remedy.empty()) text += "\n  help: " + remedy;
  return text;
}

}  // namespace

InputError::InputError(const std::string& problem, const SourcePosition& where,
                       const std::string& remedy)
    : Error(message(problem, where, remedy)),
      problem_(problem),
      remedy_(remedy),
      has_position_(!where.file.empty()) {}

InputError::InputError(const std::string& problem, const std::string& remedy)
    : InputError(problem, SourcePosition{}, remedy) {}

}  // namespace larmor
