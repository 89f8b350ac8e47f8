// larmor: main program. Exit codes: 0 done, 2 wrong input, 3 an error of the machine, 4 an
// unphysical state, 70 a defect of Larmor, 129 / 130 / 143 stopped by SIGHUP / SIGINT / SIGTERM.

#include "cli/commands.hpp"
#include "cli/shared/exit.hpp"

int main(int argc, char** argv) {
  return larmor::cli::run_program([&] { return larmor::cli::run_command(argc, argv); });
}
