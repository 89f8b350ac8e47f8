#include "larmor/io/files/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <memory>
#include <system_error>

#include "larmor/io/files/text_rows.hpp"

namespace larmor::io {
namespace {

/// Deepest nesting of lists; deeper ones could overflow the stack.
constexpr int deepest = 200;

std::shared_ptr<const SourceText> lines_of(std::string_view text, std::string file_name) {
  auto source = std::make_shared<SourceText>();
  source->file = std::move(file_name);
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    source->lines.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return source;
}

void append_utf8(std::string& text, std::uint32_t point) {
  const auto byte = [&](std::uint32_t bits) { text += static_cast<char>(bits); };
  const auto continuation = [&](int shift) { byte(0x80U | ((point >> shift) & 0x3FU)); };
  if (point < 0x80) return byte(point);
  if (point < 0x800) {
    byte(0xC0U | (point >> 6U));
    return continuation(0);
  }
  if (point < 0x10000) {
    byte(0xE0U | (point >> 12U));
  } else {
    byte(0xF0U | (point >> 18U));
    continuation(12);
  }
  continuation(6);
  continuation(0);
}

class Parser {
 public:
  Parser(std::string_view text, std::string file_name)
      : text_(text), source_(lines_of(text, std::move(file_name))) {}

  Value document() {
    skip_blanks();
    if (at_end()) refuse("the file is empty", "write a JSON object, { ... }");
    Value root = value(0);
    skip_blanks();
    if (!at_end())
      refuse("something follows the end of the document", "remove the text behind the end");
    return root;
  }

 private:
  std::string_view text_;
  std::shared_ptr<const SourceText> source_;
  std::size_t at_ = 0;
  int line_ = 1, column_ = 1;

  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  SourceMark mark() const { return {source_, line_, column_}; }

  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy) const {
    throw InputError(problem, mark().position(), remedy);
  }

  char consume() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++line_;
      column_ = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++column_;
    }
    return c;
  }

  void skip_blanks() {
    while (!at_end() && (next() == ' ' || next() == '\t' || next() == '\n' || next() == '\r'))
      consume();
  }

  void expect(char c, const char* where) {
    skip_blanks();
    if (next() != c || at_end())
      refuse(std::string("there is no '") + c + "' " + where,
             at_end() ? "the file may be cut short: write the file anew" : "write it there");
    consume();
  }

  Value value(int depth) {
    if (depth > deepest)
      refuse("lists are nested too deeply", "write at most 200 lists inside each other");
    skip_blanks();
    const SourceMark where = mark();
    Value read = unmarked(depth);
    read.mark(where);
    return read;
  }

  Value unmarked(int depth) {
    switch (next()) {
      case '{':
        return table(depth);
      case '[':
        return array(depth);
      case '"':
        return Value(string());
      default:
        return word();
    }
  }

  Value table(int depth) {
    consume();
    Value::Table entries;
    skip_blanks();
    if (next() == '}') return consume(), Value(std::move(entries));
    for (;;) {
      skip_blanks();
      const SourceMark where = mark();
      if (next() != '"') refuse("a key is missing", "write a key in double quotes");
      std::string key = string();
      const bool is_known =
          std::ranges::any_of(entries, [&](const Value::Entry& entry) { return entry.key == key; });
      if (is_known)
        throw InputError("the key \"" + key + "\" is given twice", where.position(),
                         "give each key once");
      expect(':', "behind the key");
      Value read = value(depth + 1);
      entries.push_back({std::move(key), std::move(read), where});
      skip_blanks();
      if (next() == '}') return consume(), Value(std::move(entries));
      expect(',', "or '}' behind an entry");
    }
  }

  Value array(int depth) {
    consume();
    Value::Array values;
    skip_blanks();
    if (next() == ']') return consume(), Value(std::move(values));
    for (;;) {
      values.push_back(value(depth + 1));
      skip_blanks();
      if (next() == ']') return consume(), Value(std::move(values));
      expect(',', "or ']' behind an entry");
    }
  }

  std::string string() {
    consume();
    std::string text;
    for (;;) {
      if (at_end() || next() == '\n') refuse("a text has no end", "close it with a double quote");
      const char c = consume();
      if (c == '"') return text;
      if (c != '\\') {
        text += c;
        continue;
      }
      escape(text);
    }
  }

  void escape(std::string& text) {
    static constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    const char c = next();
    if (const std::size_t n = letters.find(c); !at_end() && n != std::string_view::npos) {
      consume();
      text += meanings[n];
      return;
    }
    if (c != 'u')
      refuse("a backslash stands before an unknown letter", "write \\\\ for a backslash");
    consume();
    std::uint32_t point = four_digits();
    if (point >= 0xD800 && point < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      consume();
      consume();
      point = 0x10000 + ((point - 0xD800) << 10U) + (four_digits() - 0xDC00);
    }
    append_utf8(text, point);
  }

  std::uint32_t four_digits() {
    std::uint32_t point = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [stop, failure] =
        std::from_chars(digits.data(), digits.data() + digits.size(), point, 16);
    if (failure != std::errc{} || stop != digits.data() + 4)
      refuse("\\u has no four hexadecimal digits", "write four digits, as in \\u00e9");
    for (int n = 0; n < 4; ++n) consume();
    return point;
  }

  Value word() {
    std::size_t end = at_;
    while (end < text_.size() &&
           std::string_view(" \t\r\n,:]}").find(text_[end]) == std::string_view::npos)
      ++end;
    const std::string_view spelled = text_.substr(at_, end - at_);
    const SourcePosition where = mark().position();
    if (spelled.empty()) refuse("a value is missing", "write the value; the file may be cut short");
    if (spelled == "null")
      throw InputError("null is not allowed here", where, "write a value, or leave the key out");
    Value read = spelled == "true"    ? Value(true)
                 : spelled == "false" ? Value(false)
                                      : number(spelled, where);
    while (at_ < end) consume();
    return read;
  }

  static Value number(std::string_view spelled, const SourcePosition& where) {
    std::int64_t whole = 0;
    const char* const end = spelled.data() + spelled.size();
    const auto [stop, failure] = std::from_chars(spelled.data(), end, whole);
    if (failure == std::errc{} && stop == end) return Value(whole);
    // Python writes numbers that JSON does not have.
    if (spelled == "NaN" || spelled.ends_with("Infinity"))
      throw InputError("the number is " + std::string(spelled) + ", not a finite number", where,
                       "write a finite number");
    return Value(parse_real(spelled, "the value", where));
  }
};

}  // namespace

Value parse_json(std::string_view text, std::string file_name) {
  return Parser(text, std::move(file_name)).document();
}

}  // namespace larmor::io
