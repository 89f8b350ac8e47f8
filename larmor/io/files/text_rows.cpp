#include "larmor/io/files/text_rows.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <system_error>

#include "larmor/io/files/input_file.hpp"

namespace larmor::io {
namespace {

constexpr std::string_view blanks = " \t\r\f\v";

std::string quoted(std::string_view word) { return "\"" + std::string(word) + "\""; }

}  // namespace

TextRow::TextRow(std::string file, int line, std::string text)
    : file_(std::move(file)), line_(line), text_(std::move(text)) {
  for (std::size_t end = 0;;) {
    const std::size_t begin = text_.find_first_not_of(blanks, end);
    if (begin == std::string::npos) return;
    end = std::min(text_.find_first_of(blanks, begin), text_.size());
    columns_.push_back({begin, end - begin});
  }
}

void TextRow::require(std::size_t column, const std::string& name) const {
  if (column < columns()) return;
  throw InputError(columns() == 0 ? "the line is blank where " + name + " should stand"
                                  : "the line ends where " + name + " should stand",
                   position(columns()), "write it there");
}

std::string_view TextRow::word(std::size_t column) const {
  if (column >= columns()) require(column, "column " + std::to_string(column + 1));
  return std::string_view(text_).substr(columns_[column].begin, columns_[column].size);
}

SourcePosition TextRow::position(std::size_t column) const {
  return position_of_byte(column < columns_.size() ? columns_[column].begin : text_.size());
}

SourcePosition TextRow::position_of_byte(std::size_t byte) const {
  const auto characters =
      std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(byte),
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {file_, line_, static_cast<int>(characters) + 1, text_};
}

void TextRow::require_columns(std::size_t count, const std::string& names) const {
  if (columns() >= count) return;
  throw InputError(
      "the line has " + std::to_string(columns()) + " of " + std::to_string(count) + " columns",
      position(columns()), "write the columns " + names);
}

double parse_real(std::string_view word, const std::string& name, const SourcePosition& where) {
  std::string spelled(word);
  for (char& c : spelled)
    if (c == 'd' || c == 'D') c = 'e';
  const std::size_t sign = spelled.size() > 1 && spelled[0] == '+' && spelled[1] != '-' ? 1 : 0;
  const char* end = spelled.data() + spelled.size();
  double value = 0;
  const auto [stop, error] = std::from_chars(spelled.data() + sign, end, value);
  if (stop != end || error == std::errc::invalid_argument)
    throw InputError(name + " is " + quoted(word) + ", not a number", where, "write a number");
  if (error == std::errc::result_out_of_range || !std::isfinite(value))
    throw InputError(name + " is " + quoted(word) + ", not a finite number", where,
                     "write a finite number");
  return value;
}

void append_number(std::string& text, double value) {
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  text.append(digits.data(), end);
}

void append_vector(std::string& text, const Vec3<double>& v) {
  append_number(text, v.x);
  append_number(text += ' ', v.y);
  append_number(text += ' ', v.z);
}

double TextRow::real(std::size_t column, const std::string& name) const {
  require(column, name);
  return parse_real(word(column), name, position(column));
}

Index TextRow::integer(std::size_t column, const std::string& name) const {
  require(column, name);
  const std::string_view spelled = word(column);
  Index value = 0;
  const auto [stop, error] =
      std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
  if (stop != spelled.data() + spelled.size() || error != std::errc{})
    throw InputError(name + " is " + quoted(spelled) + ", not a whole number", position(column),
                     "write a whole number");
  return value;
}

TextRowReader::TextRowReader(const std::string& path)
    : path_(path), file_(open_input(path)), row_(path, 0, "") {}

bool TextRowReader::next() {
  std::string text;
  if (!std::getline(file_, text)) {
    if (file_.bad())
      throw MachineError("cannot read '" + path_ + "': " + std::generic_category().message(errno));
    return false;
  }
  ++lines_;
  if (!text.empty() && text.back() == '\r') text.pop_back();
  if (text.find('\0') != std::string::npos)
    throw InputError("the file is not text", SourcePosition{path_, lines_, 0, ""},
                     "name a text file");
  row_ = TextRow(path_, lines_, std::move(text));
  return true;
}

bool TextRowReader::next_data() {
  while (next()) {
    if (row_.columns() == 0) continue;
    const char first = row_.word(0)[0];
    if (first != '#' && first != '!') return true;
  }
  return false;
}

SourcePosition TextRowReader::end() const { return {path_, lines_ + 1, 1, ""}; }

}  // namespace larmor::io
