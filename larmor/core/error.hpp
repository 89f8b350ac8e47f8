#pragma once
// What can go wrong, by whose fault. The library throws these; the command line turns the type
// into an exit code. The text of a message is not API, its type is.

#include <stdexcept>
#include <string>

namespace larmor {

/// A place in a user's file. Lines and columns count from 1; 0 means "not known".
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
  std::string line_text;  ///< the line itself, for the caret
};

class Error : public std::runtime_error {
 public:
  /// @param text of one line or several. What in it would act on a terminal is escaped: it may come
  /// from a file.
  explicit Error(const std::string& text);
  virtual int exit_code() const noexcept = 0;

 protected:
  /// A text whose parts have been made visible.
  struct Visible {
    std::string text;
  };
  explicit Error(const Visible& visible) : std::runtime_error(visible.text) {}
};

/// The user's input is wrong. Exit code 2.
class InputError : public Error {
 public:
  /// @param problem what is wrong, naming the key; @param remedy what would be right
  InputError(const std::string& problem, const SourcePosition& where, const std::string& remedy);
  explicit InputError(const std::string& problem, const std::string& remedy = "");
  int exit_code() const noexcept override { return 2; }

  const std::string& problem() const { return problem_; }
  const std::string& remedy() const { return remedy_; }
  bool has_position() const { return !where_.file.empty(); }
  const SourcePosition& where() const { return where_; }

 private:
  std::string problem_, remedy_;
  SourcePosition where_;
};

/// The machine failed: device, memory, disk, permissions. Exit code 3.
class MachineError : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 3; }
};

/// The state became unphysical: NaN, lost atoms. Exit code 4.
class UnphysicalError : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 4; }
};

/// A defect of Larmor itself. Exit code 70, "please report".
class InternalError : public Error {
 public:
  using Error::Error;
  int exit_code() const noexcept override { return 70; }
};

}  // namespace larmor
