#pragma once
// The keywords of inpsd.dat with their values. A keyword stands at the beginning of a line, in any
// case, and its values follow it. Words after the values are comments. If a keyword occurs several
// times, the last one counts.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "larmor/imports/uppasd/data_file.hpp"

namespace larmor::imports::uppasd {

/// A row of numbers below a keyword, such as a row of ip_nphase.
struct NumberRow {
  std::vector<double> numbers;
  SourceMark mark;
};

/// A keyword of the file.
class Entry {
 public:
  /// @param line its line, and the lines of its numbers below
  Entry(std::string keyword, const DataFile& file, std::vector<io::TextRow> lines);

  const std::string& keyword() const { return keyword_; }
  /// The place of the keyword.
  SourceMark mark() const { return file_->mark(lines_[0]); }
  /// The place of a value, counted from 0.
  SourceMark value_mark(std::size_t value = 0) const { return file_->mark(lines_[0], value + 1); }
  SourcePosition where(std::size_t value = 0) const { return value_mark(value).position(); }
  int line() const { return lines_[0].line(); }
  std::size_t values() const { return lines_[0].columns() - 1; }

  /// Values of the line. @throws InputError for a missing value, or one that is not a number
  std::string word(std::size_t value = 0) const;
  double number(std::size_t value = 0) const;
  /// A number that is not negative.
  double size(std::size_t value = 0) const;
  Index whole(std::size_t value = 0) const;
  /// A whole number that is at least `least`.
  Index count(Index least, std::size_t value = 0) const;
  Vec3<double> vector() const;
  /// The first letter in upper case.
  char letter(std::size_t value = 0) const;
  /// Is it Y, T, .true. or 1? @throws InputError for any other value except N, F, .false. and 0
  bool flag() const;
  /// A value of this keyword that is not supported. @throws InputError
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy,
                           std::size_t value = 0) const;

  /// Numbers that begin on the line and go on below.
  std::vector<NumberRow> numbers_below(std::size_t columns, const std::string& names) const;
  /// Numbers of a matrix, whose first row stands on the line of the keyword.
  std::vector<NumberRow> matrix(std::size_t rows, std::size_t columns) const;

 private:
  std::string keyword_;
  const DataFile* file_;
  std::vector<io::TextRow> lines_;
};

/// inpsd.dat.
class InputFile {
 public:
  /// @throws InputError for keywords that do not exist, or that Larmor refuses; for lines that
  /// begin with no keyword; MachineError if the file cannot be read
  explicit InputFile(const std::string& path);

  /// Null if the file lacks the keyword.
  const Entry* find(std::string_view keyword) const;
  /// @throws InputError if the file lacks the keyword
  const Entry& require(std::string_view keyword, const std::string& remedy) const;

  /// Values, or a default if the file lacks the keyword.
  double number(std::string_view keyword, double otherwise) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.number(); });
  }
  Index whole(std::string_view keyword, Index otherwise) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.whole(); });
  }
  /// A whole number that is at least 1.
  Index count(std::string_view keyword, Index otherwise) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.count(1); });
  }
  char letter(std::string_view keyword, char otherwise) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.letter(); });
  }
  bool flag(std::string_view keyword, bool otherwise = false) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.flag(); });
  }
  Vec3<double> vector(std::string_view keyword, const Vec3<double>& otherwise) const {
    return value(keyword, otherwise, [](const Entry& entry) { return entry.vector(); });
  }

  /// The path of a file that a keyword names, relative to the folder of inpsd.dat.
  std::string path_of(const Entry& entry) const;
  /// The file that a keyword names. @throws InputError at the keyword for a missing file
  DataFile open(const Entry& entry) const;
  /// The restart file: `restart` next to inpsd.dat, unless `restartfile` names another one.
  std::string restart_path() const;
  const DataFile& file() const { return file_; }

  /// Keywords without effect, in the order of the file.
  const std::vector<std::string>& unneeded() const { return unneeded_; }
  /// Repeated keywords and rows that no list counts.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  template <class Of, class Read>
  Of value(std::string_view keyword, const Of& otherwise, const Read& read) const {
    const Entry* const entry = find(keyword);
    return entry != nullptr ? read(*entry) : otherwise;
  }
  void add(const std::string& keyword, std::size_t line, std::size_t end);

  DataFile file_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string> unneeded_;
  std::vector<std::string> notes_;
};

/// Does the file begin as inpsd.dat does? At least three of its lines must begin with keywords that
/// only UppASD has.
bool looks_like_input(const std::string& path);

}  // namespace larmor::imports::uppasd
