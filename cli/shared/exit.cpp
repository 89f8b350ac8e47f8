#include "cli/shared/exit.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/durable_file.hpp"
#include "larmor/io/files/toml.hpp"
#include "larmor/io/hdf5/hdf5_lock.hpp"
#include "larmor/study/input/key_path.hpp"

namespace larmor::cli {
namespace {

constexpr std::array stopping_signals{SIGINT, SIGTERM, SIGHUP};
constexpr std::array other_ending_signals{SIGQUIT, SIGPIPE,   SIGALRM, SIGUSR1,
                                          SIGUSR2, SIGVTALRM, SIGXCPU};

std::atomic<int> caught_signal{0};

void clean_up_and_end(int signal) {
  io::remove_all_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

constexpr unsigned stuck_seconds = 5;
std::uint64_t lock_of_signal = 0, writes_of_signal = 0;

/// Ends the program if HDF5 is still in the call that the signal interrupted, and has written
/// nothing since. HDF5 may never return from a call that reads a damaged file.
void end_if_stuck(int) {
  if (lock_of_signal == 0 || io::hdf5_lock_number() != lock_of_signal) return;
  const std::uint64_t writes = io::hdf5_writes_now();
  const bool is_within_one = writes % 2 != 0;
  if (std::exchange(writes_of_signal, writes) != writes || is_within_one) {
    ::alarm(stuck_seconds);
    return;
  }
  io::remove_all_temporaries();
  std::signal(caught_signal, SIG_DFL);
  std::raise(caught_signal);
}

void catch_signal(int signal) {
  caught_signal = signal;
  std::signal(signal, clean_up_and_end);
  lock_of_signal = io::hdf5_lock_number();
  if (lock_of_signal == 0) return;
  writes_of_signal = io::hdf5_writes_now();
  std::signal(SIGALRM, end_if_stuck);
  ::alarm(stuck_seconds);
}

void set_handler(int signal, void (*handler)(int)) {
  const bool may_be_ignored = signal != SIGINT && signal != SIGTERM;
  if (std::signal(signal, handler) == SIG_IGN && may_be_ignored) std::signal(signal, SIG_IGN);
}

void clean_up_on_signals() {
  for (const int signal : stopping_signals) set_handler(signal, clean_up_and_end);
  for (const int signal : other_ending_signals) set_handler(signal, clean_up_and_end);
  std::signal(SIGXFSZ, SIG_IGN);
  io::report_hdf5_crashes();
}

template <class Kind>
bool is(const std::exception& error) {
  return dynamic_cast<const Kind*>(&error) != nullptr;
}

struct ErrorReport {
  int code;
  std::string text;
  const char* before = "error: ";  ///< first word of the line for people
};

ErrorReport report_of(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  if (is<std::bad_alloc>(error))
    return {3, "out of memory; `larmor check` prints the memory that a study needs"};
  if (is<std::system_error>(error)) return {3, visible(error.what(), '\n')};
  if (known == nullptr || is<InternalError>(error))
    return {known == nullptr ? 70 : known->exit_code(),
            std::string(error.what()) +
                "\nThis is a defect of Larmor, not of your input; please report it.",
            "larmor: "};
  return {known->exit_code(), error.what(), is<InputError>(error) ? "" : "error: "};
}

const char* kind_of(int code) {
  return code == 2 ? "input" : code == 3 ? "machine" : code == 4 ? "unphysical" : "internal";
}

/// The key of a study that an error is about; empty if its file is not a study.
std::string key_of(const InputError& error) {
  if (const auto key = study::changed_key(error)) return *key;
  try {
    return error.has_position() ? study::key_of(io::read_toml(error.where().file), error) : "";
  } catch (const Error&) {
    return "";
  }
}

/// @param details problem, remedy and place of an error
void print_error(const ErrorReport& report, const InputError& details) {
  const char* const form = std::getenv("LARMOR_ERRORS");
  if (form == nullptr || std::string(form) != "json") {
    std::cerr << report.before << report.text << "\n";
    return;
  }
  const SourcePosition& where = details.where();
  std::cerr << R"({"event":"error","kind":")" << kind_of(report.code) << R"(","text":)"
            << json_string(report.text) << R"(,"problem":)" << json_string(details.problem())
            << R"(,"remedy":)" << json_string(details.remedy()) << R"(,"file":)"
            << json_string(where.file) << R"(,"line":)" << where.line << R"(,"column":)"
            << where.column << R"(,"key":)" << json_string(key_of(details)) << "}" << std::endl;
}

/// Opens missing standard streams. Otherwise the results file might become the standard output. A
/// write to an opened stream fails, as if the stream were closed.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR));
}

}  // namespace

int run_program(const std::function<int()>& program) {
  open_standard_streams();
  clean_up_on_signals();
  int code = 0;
  try {
    code = program();
  } catch (const std::exception& error) {
    code = report_error(error);
  }
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return code;
  std::cerr << "error: cannot write to the standard output"
            << (errno == 0 ? "" : ": " + std::generic_category().message(errno)) << std::endl;
  return code == 0 ? 3 : code;
}

int report_error(const std::exception& error) {
  if (is<OtherRankFailed>(error)) return dynamic_cast<const Error&>(error).exit_code();
  const ErrorReport report = report_of(error);
  if (const auto* const input = dynamic_cast<const InputError*>(&error))
    print_error(report, *input);
  else
    print_error(report, InputError(report.text));
  return report.code;
}

int report_wrong_arguments(const std::string& text) {
  print_error({2, text, ""}, InputError(text));
  return 2;
}

const std::atomic<int>& catch_signals() {
  for (const int signal : stopping_signals) set_handler(signal, catch_signal);
  return caught_signal;
}

void end_on_sigterm() { std::signal(SIGTERM, clean_up_and_end); }

}  // namespace larmor::cli
