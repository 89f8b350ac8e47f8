// larmor: arguments in, study out. Exit codes: 0 done, 2 wrong input, 3 the machine's fault,
// 4 unphysical state, 70 a defect of ours, 130 / 143 stopped by SIGINT / SIGTERM.

#include <exception>
#include <iostream>
#include <new>

#include "cli/commands.hpp"
#include "larmor/core/error.hpp"

int main(int argc, char** argv) {
  try {
    return larmor::cli::run_command(argc, argv);
  } catch (const larmor::InternalError& error) {
    std::cerr << "larmor: " << error.what()
              << "\nThis is a defect of Larmor, not of your input; please report it.\n";
    return error.exit_code();
  } catch (const larmor::InputError& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  } catch (const larmor::Error& error) {
    std::cerr << "error: " << error.what() << "\n";
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "error: out of memory; `larmor check` says what a study needs\n";
    return 3;
  } catch (const std::exception& error) {
    std::cerr << "larmor: " << error.what()
              << "\nThis is a defect of Larmor, not of your input; please report it.\n";
    return 70;
  }
}
