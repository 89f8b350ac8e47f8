#include "larmor/core/shell_word.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace larmor {

std::string shell_word(const std::string& name) {
  const std::string word = name.starts_with('-') ? "./" + name : name;  // not an option
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
