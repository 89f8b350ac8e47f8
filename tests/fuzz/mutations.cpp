#include "tests/fuzz/mutations.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace larmor::fuzzing {
namespace {

/// SplitMix64: G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// A number below `count`, which is not 0.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  template <class List>
  const auto& of(const List& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

/// A part of a text, from `begin` up to `end`.
struct Span {
  std::size_t begin, end;
};

enum class Kind { number, word, sign };

struct Token {
  Kind kind;
  Span span;
};

constexpr std::array numbers{"0",
                             "-0",
                             "1",
                             "-1",
                             "2",
                             "3",
                             "7",
                             "0.5",
                             "1.5",
                             "1e-7",
                             "nan",
                             "-nan",
                             "inf",
                             "-inf",
                             "Infinity",
                             "1e308",
                             "-1e308",
                             "1e155",
                             "1e-155",
                             "1e-308",
                             "4.9e-324",
                             "1e999",
                             "1e-999",
                             "255",
                             "65536",
                             "1000001",
                             "2147483647",
                             "2147483648",
                             "-2147483648",
                             "-2147483649",
                             "4294967295",
                             "4294967296",
                             "9007199254740993",
                             "9223372036854775807",
                             "9223372036854775808",
                             "-9223372036854775808",
                             "18446744073709551615",
                             "100000000000000000000000000",
                             "1e",
                             "1e+",
                             ".5",
                             "5.",
                             "+5",
                             "--1",
                             "1.2.3",
                             "1d3",
                             "1_000",
                             "0x10",
                             "0b1",
                             "1,5",
                             "01",
                             "1/3",
                             "1979-05-27",
                             "½"};
constexpr std::array units{"meV", "eV",    "mRy", "Ry", "J",    "K",     "mK",   "T",   "mT", "fs",
                           "ps",  "s",     "GHz", "Hz", "THz",  "Å",     "nm",   "m",   "Pa", "GPa",
                           "bar", "g/mol", "amu", "%",  "1/ps", "meV/Å", "mu_B", "rad", "°",  ""};
constexpr std::array values{"[]",        "{}",     "\"\"",      "''",
                            "true",      "false",  "null",      "[[]]",
                            "[[1]]",     "[1]",    "[1, 2, 3]", "{a = 1}",
                            "\"x\"",     "T",      "F",         "[[0,0,0],[0,0,0],[0,0,0]]",
                            "\"1 meV\"", "[\"\"]", "*"};
constexpr std::array<std::string_view, 26> signs{"[",   "]",  "{",  "}",    "(",
                                                 ")",   "\"", "'",  "=",    ",",
                                                 ":",   "#",  ";",  "!",    ".",
                                                 "-",   "&",  "$",  "\\",   "%",
                                                 "\t",  "\r", "\n", "\xC3", "\xEF\xBB\xBF",
                                                 "\x1B"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

/// The end of the number that begins here; `begin` if no number does.
std::size_t end_of_number(std::string_view text, std::size_t begin) {
  std::size_t i = begin;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  const std::size_t digits = i;
  while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
  if (std::none_of(text.begin() + static_cast<std::ptrdiff_t>(digits),
                   text.begin() + static_cast<std::ptrdiff_t>(i), is_digit))
    return begin;
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    std::size_t power = i + 1;
    if (power < text.size() && (text[power] == '-' || text[power] == '+')) ++power;
    const std::size_t first = power;
    while (power < text.size() && is_digit(text[power])) ++power;
    if (power > first) i = power;
  }
  return i;
}

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i;
    if (std::isspace(static_cast<unsigned char>(text[i])) != 0) {
      ++i;
      continue;
    }
    if (is_letter(text[i]) || text[i] == '_') {
      while (i < text.size() && (is_letter(text[i]) || is_digit(text[i]) || text[i] == '_')) ++i;
      tokens.push_back({Kind::word, {begin, i}});
    } else if (i = end_of_number(text, begin); i > begin) {
      tokens.push_back({Kind::number, {begin, i}});
    } else {
      tokens.push_back({Kind::sign, {begin, ++i}});
    }
  }
  return tokens;
}

/// Each line with its end.
std::vector<Span> lines_of(std::string_view text) {
  std::vector<Span> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    lines.push_back({begin, end});
    begin = end;
  }
  return lines;
}

/// The values of all lines: the parts behind their first = or :, without the ends of the lines.
std::vector<Span> values_of(std::string_view text) {
  std::vector<Span> found;
  for (const Span& line : lines_of(text)) {
    const std::size_t sign = text.substr(line.begin, line.end - line.begin).find_first_of("=:");
    if (sign == std::string_view::npos) continue;
    const std::size_t begin = line.begin + sign + 1;
    const std::size_t end = line.end - (text[line.end - 1] == '\n' ? 1 : 0);
    if (begin < end) found.push_back({begin, end});
  }
  return found;
}

std::string_view part(std::string_view text, const Span& span) {
  return text.substr(span.begin, span.end - span.begin);
}

void replace(std::string& text, const Span& span, std::string_view by) {
  text.replace(span.begin, span.end - span.begin, by);
}

/// Exchanges two parts that do not overlap.
void exchange(std::string& text, Span one, Span other) {
  if (one.begin > other.begin) std::swap(one, other);
  if (one.end > other.begin) return;
  const std::string first(part(text, one)), second(part(text, other));
  replace(text, other, first);
  replace(text, one, second);
}

std::vector<Span> spans_of(const std::vector<Token>& tokens, Kind kind) {
  std::vector<Span> found;
  for (const Token& token : tokens)
    if (token.kind == kind) found.push_back(token.span);
  return found;
}

/// The word with a small mistake.
std::string misspelt(std::string word, Draws& draws) {
  const std::size_t at = draws.below(word.size());
  switch (draws.below(6)) {
    case 0:
      word.erase(at, 1);
      break;
    case 1:
      word.insert(at, 1, word[at]);
      break;
    case 2:
      std::swap(word[at], word[word.size() - 1 - at]);
      break;
    case 3:
      for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      break;
    case 4:
      word += draws.below(2) == 0 ? "s" : "_2";
      break;
    default:
      std::replace(word.begin(), word.end(), '_', '-');
      word[at] = static_cast<char>('a' + draws.below(26));
  }
  return word;
}

/// The number with another sign, digit, or power of ten.
std::string near_number(std::string number, Draws& draws) {
  switch (draws.below(5)) {
    case 0:
      return number[0] == '-' ? number.substr(1) : "-" + number;
    case 1:
      return number + "0";
    case 2:
      number[number.size() - 1] = static_cast<char>('0' + draws.below(10));
      return number;
    case 3:
      return number + "e" + std::to_string(static_cast<int>(draws.below(640)) - 320);
    default:
      return number + std::string(draws.below(400), static_cast<char>('0' + draws.below(10)));
  }
}

void change_lines(std::string& text, Draws& draws) {
  const std::vector<Span> lines = lines_of(text);
  if (lines.empty()) return;
  const Span one = draws.of(lines), other = draws.of(lines);
  const std::string copy(part(text, one));
  switch (draws.below(6)) {
    case 0:
      return replace(text, one, "");
    case 1:
      text.insert(other.begin, copy);
      return;
    case 2:
      return exchange(text, one, other);
    case 3: {
      const std::string block(
          part(text, {std::min(one.begin, other.begin), std::max(one.end, other.end)}));
      text.insert(draws.of(lines).begin, block);
      return;
    }
    case 4:
      return replace(text, {std::min(one.begin, other.begin), std::max(one.begin, other.begin)},
                     "");
    default: {
      std::string many;
      for (std::size_t n = draws.below(200); n > 0; --n) many += copy;
      text.insert(one.end, many);
    }
  }
}

void change_numbers(std::string& text, Draws& draws) {
  const std::vector<Span> found = spans_of(tokens_of(text), Kind::number);
  if (found.empty()) return;
  const Span one = draws.of(found);
  switch (draws.below(4)) {
    case 0:
      return exchange(text, one, draws.of(found));
    case 1:
      return replace(text, one, near_number(std::string(part(text, one)), draws));
    default:
      return replace(text, one, draws.of(numbers));
  }
}

void change_words(std::string& text, Draws& draws) {
  const std::vector<Span> found = spans_of(tokens_of(text), Kind::word);
  if (found.empty()) return;
  const Span one = draws.of(found), other = draws.of(found);
  switch (draws.below(6)) {
    case 0:
      return replace(text, one, misspelt(std::string(part(text, one)), draws));
    case 1:
      return replace(text, one, std::string(part(text, other)));
    case 2:
      return exchange(text, one, other);
    case 3:
      return replace(text, one, draws.of(units));
    case 4:
      return replace(text, one, draws.of(numbers));
    default:
      return replace(text, one, "");
  }
}

void change_values(std::string& text, Draws& draws) {
  const std::vector<Span> found = values_of(text);
  if (found.empty()) return change_words(text, draws);
  const Span one = draws.of(found), other = draws.of(found);
  switch (draws.below(5)) {
    case 0:
      return exchange(text, one, other);
    case 1:
      return replace(text, one, std::string(part(text, other)));
    case 2:
      return replace(text, one, draws.of(values));
    case 3:
      return replace(text, one, "[" + std::string(part(text, one)) + "]");
    default:
      return replace(text, one, draws.of(numbers));
  }
}

void change_tokens(std::string& text, Draws& draws) {
  const std::vector<Token> tokens = tokens_of(text);
  if (tokens.empty()) return;
  const Span one = draws.of(tokens).span, other = draws.of(tokens).span;
  const std::string copy(part(text, one));
  switch (draws.below(7)) {
    case 0:
      return replace(text, one, "");
    case 1:
      text.insert(one.begin, copy + (draws.below(2) == 0 ? " " : ""));
      return;
    case 2:
      return exchange(text, one, other);
    case 3:
      text.insert(draws.below(2) == 0 ? one.begin : one.end, draws.of(signs));
      return;
    case 4:
      return replace(text, one, draws.of(signs));
    case 5:
      text.resize(one.begin);
      return;
    default: {
      std::string many;
      for (std::size_t n = draws.below(1000); n > 0; --n) many += copy;
      text.insert(one.begin, many);
    }
  }
}

void change_bytes(std::string& text, Draws& draws) {
  if (text.empty()) return;
  const std::size_t at = draws.below(text.size());
  switch (draws.below(4)) {
    case 0:
      text[at] = static_cast<char>(static_cast<unsigned char>(text[at]) ^ (1U << draws.below(8)));
      return;
    case 1:
      text[at] = static_cast<char>(draws.below(256));
      return;
    case 2:
      text.erase(at, draws.below(16));
      return;
    default:
      text.insert(at, draws.below(2) == 0 ? std::string(1, '\0') : "\r\n");
  }
}

}  // namespace

std::string mutated(std::string_view text, std::uint64_t seed, std::size_t most) {
  Draws draws(seed);
  std::string changed(text);
  for (std::size_t n = 1 + draws.below(4); n > 0; --n) {
    constexpr std::array changes{change_lines,  change_numbers, change_numbers,
                                 change_words,  change_words,   change_values,
                                 change_values, change_tokens,  change_bytes};
    changes[draws.below(changes.size())](changed, draws);
    if (changed.size() > most) changed.resize(most);
  }
  return changed;
}

}  // namespace larmor::fuzzing
