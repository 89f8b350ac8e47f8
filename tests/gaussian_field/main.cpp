// The commands of `larmor` with one more model kind.

#include <exception>

#include "cli/commands.hpp"
#include "cli/shared/exit.hpp"
#include "tests/gaussian_field/gaussian_field.hpp"

int main(int argc, char** argv) {
  try {
    static const larmor::testing_support::GaussianField field;
    larmor::study::add_model_kind(field);
    return larmor::cli::run_command(argc, argv);
  } catch (const std::exception& error) {
    return larmor::cli::report_error(error);
  }
}
