#include "larmor/core/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>

namespace larmor {
namespace {

unsigned char byte_at(std::string_view text, std::size_t n) {
  return static_cast<unsigned char>(text[n]);
}

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

/// Length of the UTF-8 sequence (RFC 3629) at the beginning of a text; 0 if there is none.
std::size_t sequence(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t n = 1; n < length; ++n)
    if (!is_continuation(byte_at(text, n))) return 0;
  const unsigned char second = byte_at(text, 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second > 0x9F;
  const bool beyond_unicode = first == 0xF4 && second > 0x8F;
  return overlong || surrogate || beyond_unicode ? 0 : length;
}

std::uint32_t code_point(std::string_view character) {
  const std::size_t length = character.size();
  std::uint32_t point = byte_at(character, 0) & (length == 1 ? 0x7FU : 0xFFU >> (length + 1));
  for (std::size_t n = 1; n < length; ++n) point = (point << 6U) | (byte_at(character, n) & 0x3FU);
  return point;
}

/// C0, DEL, C1, and characters that change the direction of writing.
bool controls(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7F && point < 0xA0) || point == 0x200E || point == 0x200F ||
         (point >= 0x2028 && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069);
}

std::string escape(unsigned char byte) {
  constexpr std::string_view hex = "0123456789abcdef";
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return std::string("\\x") + hex[byte >> 4U] + hex[byte & 0xFU];
  }
}

}  // namespace

std::vector<VisibleCharacter> visible_characters(std::string_view text) {
  std::vector<VisibleCharacter> characters;
  while (!text.empty()) {
    const std::size_t length = sequence(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    if (length > 0 && (character == "\t" || !controls(code_point(character)))) {
      characters.push_back({std::string(character), 1});
      continue;
    }
    std::string escaped;
    for (const char c : character) escaped += escape(static_cast<unsigned char>(c));
    const auto width = static_cast<int>(escaped.size());
    // Continuation bytes do not count as columns.
    if (is_continuation(byte_at(character, 0)) && !characters.empty()) {
      characters.back().text += escaped;
      characters.back().width += width;
    } else {
      characters.push_back({std::move(escaped), width});
    }
  }
  return characters;
}

std::string visible(std::string_view text, char kept) {
  std::string shown;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = text.find(kept);
    for (const VisibleCharacter& character : visible_characters(text.substr(0, end)))
      shown += character.text;
    if (end == std::string_view::npos) break;
    shown += kept;
    ++end;
  }
  return shown;
}

std::string json_string(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      (quoted += '\\') += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

std::string shell_word(const std::string& name) {
  const std::string word = name.starts_with('-') ? "./" + name : name;  // a dash begins an option
  constexpr std::string_view plain_signs = "_@%+=:,./-";
  const bool is_plain = std::ranges::all_of(word, [&](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) ||
           plain_signs.find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (is_plain && !word.empty()) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace larmor
