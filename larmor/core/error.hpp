#pragma once
// Types of errors, by cause. The library throws them, and the command line turns the type into an
// exit code. The type is part of the API; the text of a message is not.

#include <stdexcept>
#include <string>

namespace larmor {

/// A place in a user's file. Lines and columns count from 1; 0 means "unknown".
struct SourcePosition {
  std::string file;
  int line = 0;
  int column = 0;
  std::string line_text;  ///< the text of the line, for the caret
};

class Error : public std::runtime_error {
 public:
  /// @param text one line or several. Characters that control a terminal are escaped, since the
  /// text may come from a file.
  explicit Error(const std::string& text);
  virtual int exit_code() const noexcept = 0;

 protected:
  /// A text in which control characters are already escaped.
  struct Visible {
    std::string text;
  };
  explicit Error(const Visible& visible) : std::runtime_error(visible.text) {}
};

/// The user's input is wrong. Exit code 2.
class InputError : public Error {
 public:
  /// @param problem the fault, with the key @param remedy the thing to write instead
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

/// Calls work(). If work() throws an InputError without a position, the error receives `where`.
template <class Work>
auto with_position(const SourcePosition& where, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    if (error.has_position()) throw;
    throw InputError(error.problem(), where, error.remedy());
  }
}

}  // namespace larmor
