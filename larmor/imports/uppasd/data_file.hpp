#pragma once
// Text files of UppASD as rows of columns, with the places of their words.

#include <string>
#include <string_view>
#include <vector>

#include "larmor/imports/text_lines.hpp"
#include "larmor/imports/values.hpp"

namespace larmor::imports::uppasd {

/// A text file. Commas separate columns as blanks do, because Fortran reads both.
class DataFile {
 public:
  /// @throws InputError for a missing file, or one that is not text; MachineError if it cannot be
  /// read
  explicit DataFile(const std::string& path);

  /// The rows that are neither blank nor a comment.
  const std::vector<io::TextRow>& rows() const { return rows_; }
  /// The place of a column of a row.
  SourceMark mark(const io::TextRow& row, std::size_t column = 0) const {
    return lines_.mark(row, column);
  }
  /// The line after the last line.
  SourcePosition end() const { return lines_.end(); }
  const std::string& path() const { return lines_.path(); }

 private:
  TextLines lines_;
  std::vector<io::TextRow> rows_;
};

/// The characters that begin a comment of inpsd.dat and of data files.
bool begins_comment(std::string_view word);

std::string lower_case(std::string_view text);

}  // namespace larmor::imports::uppasd
