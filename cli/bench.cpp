// larmor bench: replaces this process by larmor-bench, which has all code for measurements.

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/shared/ranks.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/program_folder.hpp"

namespace larmor::cli {

void exec_bench(char** arguments) {
  const std::string folder = program_folder().string();
  std::string program = folder + "/larmor-bench";
  arguments[0] = program.data();
  execv(program.c_str(), arguments);
  const int reason = errno;
  // Every rank finds this error, and only the first rank reports it.
  defer_to_first_rank(started_rank());
  if (reason == ENOENT)
    throw MachineError("larmor-bench is missing in the folder of larmor, " + folder +
                       "; `make build` builds both");
  throw MachineError(program + " does not start: " + std::generic_category().message(reason));
}

}  // namespace larmor::cli
