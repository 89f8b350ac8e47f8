#pragma once
// The lines of a text file of another program, and their places.

#include <memory>
#include <string>

#include "larmor/core/input/value.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::imports {

/// Goes through the lines of a file, which it keeps for the places of values.
class TextLines {
 public:
  /// @throws InputError for a missing file or one that is not text, MachineError if it cannot be
  /// read
  explicit TextLines(const std::string& path);

  /// The next line; false at the end of the file.
  bool next();
  /// Makes `next` give the current line again.
  void step_back() { --line_; }

  const io::TextRow& row() const { return row_; }
  const std::string& text() const { return row_.text(); }
  int line() const { return line_; }
  const std::string& path() const { return source_->file; }
  /// The beginning of the current line.
  SourceMark mark() const { return mark(1); }
  /// A character of the current line, counted from 1.
  SourceMark mark(int column) const { return {source_, line_, column}; }
  /// A column of a row of this file.
  SourceMark mark(const io::TextRow& row, std::size_t column) const {
    return {source_, row.line(), row.position(column).column};
  }
  /// The file as a whole.
  SourceMark file_mark() const { return {source_, 0, 0}; }
  /// The current line.
  SourcePosition where() const { return mark().position(); }
  /// The line after the last line.
  SourcePosition end() const;

  /// The columns of a line in which each of these characters counts as a blank.
  io::TextRow row_without(const std::string& separators) const;

 private:
  std::shared_ptr<const SourceText> source_;
  int line_ = 0;
  io::TextRow row_{"", 0, ""};
};

/// Calls work(). An error of a line that was changed for reading shows the line of the file.
template <class Work>
auto with_line(const TextLines& lines, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    SourcePosition where = error.where();
    where.line_text = lines.text();
    throw InputError(error.problem(), where, error.remedy());
  }
}

}  // namespace larmor::imports
