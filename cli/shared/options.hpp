#pragma once
// Command-line options: numbers within limits, options that commands share, and the end of parsing.

#include <limits>

#include "larmor/core/types.hpp"
#include "larmor/study/run/device.hpp"

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace larmor::cli {

/// Accepts a whole number within limits, which its message gives. @param highest no limit by
/// default
CLI::Validator whole_number(Index lowest, Index highest = std::numeric_limits<Index>::max());
CLI::Validator finite_number();
CLI::Validator positive_number();

/// Adds the options for processor, precision and threads.
/// @param of_study whether the command has a study, whose keys may also set them
void add_device_options(CLI::App& app, study::DeviceOverrides& device, bool of_study);
void add_threads_option(CLI::App& app, Index& threads);

/// Prints the help, the version or the error of the parser. @return exit code
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error);

}  // namespace larmor::cli
