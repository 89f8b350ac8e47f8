#pragma once
// Pieces of command lines: numbers within limits, options of several commands, how parsing ends.

#include <limits>

#include "larmor/core/types.hpp"
#include "larmor/study/run/device.hpp"

namespace CLI {
class App;
class ParseError;
class Validator;
}  // namespace CLI

namespace larmor::cli {

/// Takes a whole number within limits, and says which those are. @param highest none if left out
CLI::Validator whole_number(Index lowest, Index highest = std::numeric_limits<Index>::max());
CLI::Validator finite_number();
CLI::Validator positive_number();

/// Options of a command that say what computes.
/// @param of_study does the command have a study, which may say so too?
void add_device_options(CLI::App& app, study::DeviceOverrides& device, bool of_study);
void add_profile_option(CLI::App& app, bool& profiled);

/// Tells what the parser has found: help, the version, or what is wrong. @return exit code
int end_of_parsing(const CLI::App& app, const CLI::ParseError& error);

}  // namespace larmor::cli
