// larmor: arguments in, study out. Exit codes: 0 done, 2 wrong input, 3 the machine's fault,
// 4 unphysical state, 70 a defect of ours, 130 / 143 stopped by SIGINT / SIGTERM.

#include <exception>

#include "cli/commands.hpp"
#include "cli/shared/failure.hpp"

int main(int argc, char** argv) {
  try {
    return larmor::cli::run_command(argc, argv);
  } catch (const std::exception& error) {
    return larmor::cli::explain_failure(error);
  }
}
