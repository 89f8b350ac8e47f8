#include "cli/shared/options.hpp"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>

#include "cli/shared/exit.hpp"
#include "cli/shared/ranks.hpp"
#include "larmor/core/text.hpp"

namespace larmor::cli {
namespace {

/// The number that the whole text is; nothing if the text is not a number.
template <class Number>
std::optional<Number> number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  if (failure != std::errc{} || stop != end) return std::nullopt;
  return number;
}

}  // namespace

CLI::Validator whole_number(Index lowest, Index highest) {
  const bool open = highest == std::numeric_limits<Index>::max();
  const std::string range =
      open ? fmt::format("from {} on", lowest) : fmt::format("from {} to {}", lowest, highest);
  const auto check = [=](const std::string& text) -> std::string {
    const std::optional<Index> number = number_of<Index>(text);
    if (number && lowest <= *number && *number <= highest) return "";
    return fmt::format("'{}' is not a whole number {}", text, range);
  };
  return CLI::Validator(check, open ? "" : range);
}

CLI::Validator finite_number() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> number = number_of<double>(text);
    if (number && std::isfinite(*number)) return "";
    return fmt::format("'{}' is not a finite number", text);
  };
  return CLI::Validator(check, "");
}

CLI::Validator positive_number() {
  const auto check = [](const std::string& text) -> std::string {
    const std::optional<double> number = number_of<double>(text);
    if (number && *number > 0 && std::isfinite(*number)) return "";
    return fmt::format("'{}' is not a positive number", text);
  };
  return CLI::Validator(check, "");
}

void add_device_options(CLI::App& app, study::DeviceOverrides& device, bool of_study) {
  app.add_option("--backend", device.backend,
                 of_study ? "processor for the computation (from the study)"
                          : "processor for the computation; auto takes a GPU if there is one (cpu)")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  app.add_option("--precision", device.precision,
                 of_study ? "precision of floating-point numbers (from the study)"
                          : "precision of floating-point numbers; mixed is only for GPUs (double)")
      ->check(CLI::IsMember({"double", "single", "mixed"}));
  add_threads_option(app, device.threads);
}

void add_threads_option(CLI::App& app, Index& threads) {
  app.add_option("--threads", threads,
                 "number of CPU threads; results do not depend on this number")
      ->check(whole_number(1, 4096));
}

int end_of_parsing(const CLI::App& app, const CLI::ParseError& error) {
  // CLI11 reports the version and the help as errors with exit code 0.
  const bool fails = error.get_exit_code() != 0;
  if (started_rank() == 0) {
    std::ostringstream words;
    app.exit(error, std::cout, words);
    std::string text = visible(words.str(), '\n');
    while (text.ends_with('\n')) text.pop_back();
    if (fails) report_wrong_arguments(text);
  }
  if (!fails) return 0;
  defer_to_first_rank(started_rank());
  return 2;
}

}  // namespace larmor::cli
