// larmor reweight: computes averages as functions of temperature or kappa from series in results
// files.

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output_beside.hpp"
#include "cli/print_words.hpp"
#include "cli/results_table.hpp"
#include "cli/show.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/study/reweighting/reweighting_results.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

constexpr Index most_points = 1000;

/// A range option, with words for its error messages.
struct RangeOption {
  const char* name;    ///< "--temperatures"
  const char* things;  ///< "positive temperatures"
  const char* example;
  double least;  ///< exclusive lower limit
};
constexpr RangeOption of_temperatures{"--temperatures", "positive temperatures", "2.2:2.4:41", 0};
constexpr RangeOption of_kappa{"--kappa", "values of kappa", "0.30:0.31:41",
                               -std::numeric_limits<double>::infinity()};

[[noreturn]] void refuse_range(const RangeOption& option, const std::string& text) {
  throw InputError(fmt::format("{} is '{}', not lowest:highest:number", option.name, text),
                   fmt::format("give {} and a number from 2 to {}, as in {}; or a single number",
                               option.things, most_points, option.example));
}

/// Numbers of "2.2:2.4:41", or one number.
std::vector<double> range_of(const RangeOption& option, const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(':', begin), text.size());
    double number = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (failure != std::errc{} || stop != text.data() + end || !std::isfinite(number) ||
        number <= option.least)
      refuse_range(option, text);
    numbers.push_back(number);
    begin = end + 1;
  }
  if (numbers.size() == 1) return numbers;
  if (numbers.size() != 3 || numbers[1] <= numbers[0] || numbers[2] != std::floor(numbers[2]) ||
      numbers[2] < 2 || numbers[2] > static_cast<double>(most_points))
    refuse_range(option, text);
  std::vector<double> points;
  for (double n = 0; n < numbers[2]; ++n)
    points.push_back(numbers[0] + (numbers[1] - numbers[0]) * n / (numbers[2] - 1));
  return points;
}

/// @throws InputError if the option is for another parameter than that of the samples
void require_fitting(const ReweightRequest& request, const study::Parameter& parameter) {
  const bool thermal = parameter.is_temperature();
  const RangeOption& option = thermal ? of_temperatures : of_kappa;
  const RangeOption& other = thermal ? of_kappa : of_temperatures;
  if ((thermal ? request.kappa : request.temperatures).empty()) return;
  throw InputError(fmt::format("{} is given, but samples are at {}", other.name, parameter.words()),
                   fmt::format("give {}, or leave it out", option.name));
}

/// Whether `output` holds results of `reweight`.
bool holds_curves(const std::string& output) {
  try {
    return io::ResultsReader(output).exists("/reweighted");
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

void show_reweighted(const io::ResultsReader& file, bool all) {
  constexpr Index rows = 11;
  const io::Attributes attributes = file.attributes("/reweighted");
  const std::string parameter = reweighted_in(file);
  const bool thermal = parameter == "temperature";
  for (const ResultsTable& table : tables_of_reweighted(file)) {
    const std::string states = table.stage + "/states";
    double samples = 0, shared = std::nan("");
    for (const double n : file.read<double>(states + "/samples")) samples += n;
    for (const double n : file.read<double>(states + "/overlap")) shared = std::fmin(shared, n);
    const auto sampled = file.read<double>(states + "/" + parameter);
    const std::string name = file.attributes(table.stage).at("name").text();
    print_words("  {}: {:.0f} samples at {} {} from {:.6g} to {:.6g}{}\n",
                name.empty() ? "one system" : name, samples, sampled.size(),
                thermal ? "temperature(s)" : fmt::format("value(s) of {}", parameter),
                sampled.front(), sampled.back(),
                std::isnan(shared) ? "" : fmt::format(", neighbours share {:.3g} or more", shared));
    print_table(all ? table : thinned(table, rows), all);
    if (!all && table.places() > rows)
      print_words("    {} of {} {} are printed; `larmor show --all` prints every one\n", rows,
                  table.places(),
                  thermal ? "temperatures" : fmt::format("values of {}", parameter));
  }
  print_words("  errors by {} draws of the bootstrap\n", attributes.at("draws").integer());
}

int reweight(const ReweightRequest& request) {
  study::Reweighting of;
  of.choice = {request.files, request.stage, request.order, request.observables};
  if (!request.temperatures.empty())
    of.options.parameter = range_of(of_temperatures, request.temperatures);
  if (!request.kappa.empty()) of.options.parameter = range_of(of_kappa, request.kappa);
  of.options.draws = request.draws;
  of.options.seed = request.seed;
  of.options.threads = Device::cpu(static_cast<int>(request.threads)).threads;
  of.command = request.command;
  const std::string output = request.output.empty()
                                 ? output_beside(request.files.front(), "-reweighted.h5")
                                 : request.output;
  for (const std::string& file : request.files) {
    std::error_code missing;
    if (fs::equivalent(output, file, missing))
      throw InputError("the output '" + output + "' is one of the results files themselves",
                       "choose another --output");
  }
  if (!request.force && fs::exists(output))
    throw InputError("the output '" + output + "' exists",
                     "--force replaces it, --output names another");
  if (fs::exists(output) && fs::file_size(output) > 0 && !holds_curves(output))
    throw InputError("the output '" + output + "' exists and holds no curves of reweighting",
                     "--force replaces only curves: choose another --output, or remove it");
  const study::Samples samples = study::read_samples(of.choice);
  require_fitting(request, samples.parameter);
  std::vector<study::SystemCurves> curves;
  for (const study::SampledSystem& system : samples.systems)
    curves.push_back(study::reweighted(system, samples, of.options));
  study::write_reweighted(output, request.force ? io::IfExists::replace : io::IfExists::refuse, of,
                          samples, curves);
  print_words("{}\n", output);
  show_reweighted(io::ResultsReader(output), false);
  return 0;
}

}  // namespace larmor::cli
