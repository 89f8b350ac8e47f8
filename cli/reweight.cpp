// larmor reweight: averages as functions of the temperature, from the series of results files.

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <vector>

#include "cli/commands.hpp"
#include "cli/results_table.hpp"
#include "cli/show.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/study/reweighting/reweighting_results.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

constexpr Index most_temperatures = 1000;

[[noreturn]] void refuse_range(const std::string& text) {
  throw InputError("--temperatures is '" + text + "', not lowest:highest:number",
                   fmt::format("give positive temperatures and a number from 2 to {}, as in "
                               "2.2:2.4:41; or one temperature",
                               most_temperatures));
}

/// "2.2:2.4:41", or one number.
std::vector<double> temperatures_of(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    double number = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (failure != std::errc{} || stop != text.data() + end || !std::isfinite(number) ||
        number <= 0)
      refuse_range(text);
    numbers.push_back(number);
    begin = end + 1;
  }
  if (numbers.size() == 1) return numbers;
  if (numbers.size() != 3 || numbers[1] <= numbers[0] || numbers[2] != std::floor(numbers[2]) ||
      numbers[2] < 2 || numbers[2] > static_cast<double>(most_temperatures))
    refuse_range(text);
  std::vector<double> temperatures;
  for (double n = 0; n < numbers[2]; ++n)
    temperatures.push_back(numbers[0] + (numbers[1] - numbers[0]) * n / (numbers[2] - 1));
  return temperatures;
}

/// "runs.h5" -> "runs-reweighted.h5"
std::string usual_output(const std::string& results) {
  fs::path path(results);
  path.replace_filename(path.stem().string() + "-reweighted.h5");
  return path.string();
}

}  // namespace

void show_reweighted(const io::ResultsReader& file, bool all) {
  constexpr Index rows = 11;
  const io::Attributes attributes = file.attributes("/reweighted");
  for (const ResultsTable& table : tables_of_reweighted(file)) {
    const std::string states = table.stage + "/states";
    double samples = 0, shared = std::nan("");
    for (const double n : file.read<double>(states + "/samples")) samples += n;
    for (const double n : file.read<double>(states + "/overlap")) shared = std::fmin(shared, n);
    const auto temperature = file.read<double>(states + "/temperature");
    const std::string name = file.attributes(table.stage).at("name").text();
    fmt::print("  {}: {:.0f} samples at {} temperature(s) from {:.6g} to {:.6g}{}\n",
               name.empty() ? "one system" : name, samples, temperature.size(), temperature.front(),
               temperature.back(),
               std::isnan(shared) ? "" : fmt::format(", neighbours share {:.3g} or more", shared));
    print_table(all ? table : thinned(table, rows), all);
    if (!all && table.places() > rows)
      fmt::print("    {} of {} temperatures are printed; `larmor show --all` prints every one\n",
                 rows, table.places());
  }
  fmt::print("  errors by {} draws of the bootstrap\n", attributes.at("draws").integer());
}

int reweight(const ReweightRequest& request) {
  study::Reweighting of;
  of.choice = {request.files, request.stage, request.order, request.observables};
  if (!request.temperatures.empty()) of.options.temperature = temperatures_of(request.temperatures);
  of.options.draws = request.draws;
  of.options.seed = request.seed;
  of.options.threads = Device::cpu(static_cast<int>(request.threads)).threads;
  of.command = request.command;
  const std::string output =
      request.output.empty() ? usual_output(request.files.front()) : request.output;
  for (const std::string& file : request.files) {
    std::error_code missing;
    if (fs::equivalent(output, file, missing))
      throw InputError("the output '" + output + "' is one of the results files themselves",
                       "choose another --output");
  }
  if (!request.force && fs::exists(output))
    throw InputError("the output '" + output + "' exists",
                     "--force replaces it, --output names another");
  const study::Samples samples = study::read_samples(of.choice);
  std::vector<study::SystemCurves> curves;
  for (const study::SampledSystem& system : samples.systems)
    curves.push_back(study::reweighted(system, samples, of.options));
  study::write_reweighted(output, request.force ? io::IfExists::replace : io::IfExists::refuse, of,
                          samples, curves);
  fmt::print("{}\n", output);
  show_reweighted(io::ResultsReader(output), false);
  return 0;
}

}  // namespace larmor::cli
