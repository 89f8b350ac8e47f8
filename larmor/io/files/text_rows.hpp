#pragma once
// Text files of rows of columns separated by blanks, read row by row; every refusal names
// file:line:column. Numbers of such files.

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/vec3.hpp"
#include "larmor/core/types.hpp"

namespace larmor::io {

/// One line and its columns. Columns count from 0 here, characters in messages from 1.
class TextRow {
 public:
  TextRow(std::string file, int line, std::string text);

  std::size_t columns() const { return columns_.size(); }
  const std::string& text() const { return text_; }
  int line() const { return line_; }
  /// @throws InputError if the line ends before this column, as do `real` and `integer`
  std::string_view word(std::size_t column) const;

  /// Where a column begins; the end of the line for a column that is not there.
  SourcePosition position(std::size_t column) const;
  /// The position of a byte of the line.
  SourcePosition position_of_byte(std::size_t byte) const;

  /// @throws InputError if there are fewer columns; `names` lists them all: "site type x y z"
  void require_columns(std::size_t count, const std::string& names) const;
  /// A finite number; Fortran's exponents (1.0d-3) too. @throws InputError calling it `name`
  double real(std::size_t column, const std::string& name) const;
  /// @throws InputError calling it `name`
  Index integer(std::size_t column, const std::string& name) const;

 private:
  struct Span {
    std::size_t begin, size;
  };
  /// @throws InputError calling what should stand there `name`
  void require(std::size_t column, const std::string& name) const;

  std::string file_;
  int line_;
  std::string text_;
  std::vector<Span> columns_;
};

/// The finite number that `word` spells. @throws InputError at `where`, calling it `name`
double parse_real(std::string_view word, const std::string& name, const SourcePosition& where);

/// Adds the shortest text that reads back as the same number.
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
  /// The line after the last one read.
  SourcePosition end() const;

 private:
  std::string path_;
  std::ifstream file_;
  int lines_ = 0;
  TextRow row_;
};

}  // namespace larmor::io
