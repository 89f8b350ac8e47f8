#include "cli/shared/failure.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <iostream>
#include <new>
#include <system_error>

#include "cli/shared/signals.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/text.hpp"

namespace larmor::cli {
namespace {

template <class Kind>
bool is(const std::exception& error) {
  return dynamic_cast<const Kind*>(&error) != nullptr;
}

/// Opens missing standard streams; otherwise a results file might become the standard output.
/// Writing to them fails, as if they were closed.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      static_cast<void>(::open("/dev/null", stream == STDOUT_FILENO ? O_RDONLY : O_RDWR));
}

}  // namespace

int run_to_the_end(const std::function<int()>& program) {
  open_standard_streams();
  end_tidily_on_signals();
  int code = 0;
  try {
    code = program();
  } catch (const std::exception& error) {
    code = explain_failure(error);
  }
  errno = 0;
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good()) return code;
  std::cerr << "error: cannot write to the standard output"
            << (errno == 0 ? "" : ": " + std::generic_category().message(errno)) << std::endl;
  return code == 0 ? 3 : code;
}

int explain_failure(const std::exception& error) {
  const auto* const known = dynamic_cast<const Error*>(&error);
  if (is<OtherRankFailed>(error)) return known->exit_code();
  if (is<std::bad_alloc>(error)) {
    std::cerr << "error: out of memory; `larmor check` prints the memory that a study needs\n";
    return 3;
  }
  if (is<std::system_error>(error)) {
    std::cerr << "error: " << visible(error.what(), '\n') << "\n";
    return 3;
  }
  if (known == nullptr || is<InternalError>(error)) {
    std::cerr << "larmor: " << error.what()
              << "\nThis is a defect of Larmor, not of your input; please report it.\n";
    return known == nullptr ? 70 : known->exit_code();
  }
  std::cerr << (is<InputError>(error) ? "" : "error: ") << error.what() << "\n";
  return known->exit_code();
}

}  // namespace larmor::cli
