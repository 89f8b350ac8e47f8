#pragma once
// Reads text files row by row, with columns separated by blanks, and their numbers. Every error
// names file:line:column.

#include <algorithm>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::io {

/// One line and its columns. Columns count from 0 here; characters in messages count from 1.
class TextRow {
 public:
  TextRow(std::string file, int line, std::string text);

  std::size_t columns() const { return columns_.size(); }
  const std::string& text() const { return text_; }
  int line() const { return line_; }
  /// The word in a column. @throws InputError if the line ends before this column. `real` and
  /// `integer` throw this error too
  std::string_view word(std::size_t column) const;

  /// The position of the beginning of a column, or of the end of the line if there is no such
  /// column.
  SourcePosition position(std::size_t column) const;
  /// The position of a byte of the line.
  SourcePosition position_of_byte(std::size_t byte) const;

  /// @throws InputError if there are fewer columns. @param names names of all columns, such as
  /// "site type x y z"
  void require_columns(std::size_t count, const std::string& names) const;
  /// A finite number, also with Fortran's exponents (1.0d-3). @throws InputError, which calls it
  /// `name`
  double real(std::size_t column, const std::string& name) const;
  /// A whole number. @throws InputError, which calls it `name`
  Index integer(std::size_t column, const std::string& name) const;

 private:
  struct Column {
    std::size_t begin, size;
  };
  /// @throws InputError, which names `name`, if the line has no such column
  void require(std::size_t column, const std::string& name) const;

  std::string file_;
  int line_;
  std::string text_;
  std::vector<Column> columns_;
};

/// The finite number in `word`. @throws InputError at `where`, which calls it `name`
double parse_real(std::string_view word, const std::string& name, const SourcePosition& where);

/// Appends the shortest text that reads back as this number.
void append_number(std::string& text, double value);
/// "x y z"
void append_vector(std::string& text, const Vec3<double>& v);

class TextRowReader {
 public:
  /// @throws InputError for a missing file or a folder, MachineError if it cannot be opened
  explicit TextRowReader(const std::string& path);

  /// The next line, without its line end. False at the end of the file.
  /// @throws InputError for a line that is not text, MachineError if reading fails
  bool next();
  /// The next line that is neither blank nor a comment (# or !).
  bool next_data();

  const TextRow& row() const { return row_; }
  /// The line after the last line read.
  SourcePosition end() const;

 private:
  std::string path_;
  std::ifstream file_;
  int lines_ = 0;
  TextRow row_;
};

/// The row without its comment, which `#` begins anywhere in a line. Quotation marks become blanks,
/// as in LAMMPS.
inline TextRow without_comment(const std::string& path, const TextRow& row) {
  std::string text = row.text().substr(0, row.text().find('#'));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '"' || c == '\''; }, ' ');
  return {path, row.line(), std::move(text)};
}

}  // namespace larmor::io
