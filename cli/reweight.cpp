// larmor reweight: computes averages as functions of temperature or kappa from series in results
// files.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <vector>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/results_table.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/error.hpp"
#include "larmor/study/reweighting/reweighting_results.hpp"

namespace larmor::cli {
namespace {

namespace fs = std::filesystem;

constexpr Index most_points = 1000;

struct Reweight final : Command {
  study::Reweighting reweighting;
  std::string temperatures;  ///< "2.2:2.4:41"; empty: from the lowest sampled to the highest
  std::string kappa;         ///< a range like `temperatures`, for fields that have no temperature
  std::string output;        ///< empty: in the folder of the first file
  Index threads = 0;
  bool force = false;

  Reweight();
  void add_options(CLI::App& app) override;
  int run() override;
  void require_free_output() const;
};

/// An option that takes a range, with words for its error messages.
struct RangeOption {
  const char* name;    ///< such as "--temperatures"
  const char* things;  ///< such as "positive temperatures"
  const char* example;
  double least;  ///< exclusive lower limit
};
constexpr RangeOption of_temperatures{"--temperatures", "positive temperatures", "2.2:2.4:41", 0};
constexpr RangeOption of_kappa{"--kappa", "values of kappa", "0.30:0.31:41",
                               -std::numeric_limits<double>::infinity()};

[[noreturn]] void refuse_range(const RangeOption& option, const std::string& text) {
  throw InputError(
      fmt::format("{} is '{}', not lowest:highest:number", option.name, text),
      fmt::format(
          "give two {} and a number of points from 2 to {}, as in {}, or give a single value",
          option.things, most_points, option.example));
}

/// Numbers of a range such as "2.2:2.4:41", or one number.
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

/// @throws InputError if the option is for kappa and the samples for temperatures, or vice versa
void require_fitting(const Reweight& request, const study::Parameter& parameter) {
  const bool thermal = parameter.is_temperature();
  const RangeOption& option = thermal ? of_temperatures : of_kappa;
  const RangeOption& other = thermal ? of_kappa : of_temperatures;
  if ((thermal ? request.kappa : request.temperatures).empty()) return;
  throw InputError(
      fmt::format("{} is given, but samples are at {}", other.name, parameter.description()),
      fmt::format("give {} instead, or leave the range out", option.name));
}

/// Returns true if `reweight` wrote the file `output`.
bool holds_curves(const std::string& output) {
  try {
    return io::ResultsReader(output).exists("/reweighted");
  } catch (const Error&) {
    return false;
  }
}

Reweight::Reweight()
    : Command(
          "reweight",
          "Averages as functions of temperature or kappa, from samples at several values",
          "Examples:\n"
          "  larmor reweight study.h5                               Write study-reweighted.h5.\n"
          "  larmor reweight L8.h5 L16.h5 --temperatures 4.49:4.53:81 -o sizes.h5\n"
          "  larmor reweight study.h5 --observables topological_charge\n"
          "  larmor reweight fields.h5 --kappa 0.108:0.114:61       Curves of phi^4 fields.\n"
          "  larmor show study-reweighted.h5 --csv > curves.csv\n"
          "  larmor scaling study-reweighted.h5                     T_c or kappa_c, exponents.\n") {
}

void Reweight::add_options(CLI::App& app) {
  study::SampleChoice& choice = reweighting.choice;
  app.add_option("results", choice.files,
                 "one or several results files with samples at several temperatures or values of "
                 "kappa, from stages or from points of scans")
      ->required();
  app.add_option("--temperatures", temperatures,
                 "lowest:highest:number or one temperature, in the unit of the results (101 values "
                 "from the lowest to the highest sampled temperature)");
  app.add_option("--kappa", kappa,
                 "lowest:highest:number or one kappa. It takes the place of --temperatures for "
                 "phi^4 fields")
      ->excludes("--temperatures");
  app.add_option("--observables", choice.observables,
                 "names of further series in the results, separated by commas. The key `measure` "
                 "of a stage decides which series it stores")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--order", choice.order, "name of the series of the order parameter");
  app.add_option("--stage", choice.stage,
                 "number of the stage, counted from 1 (the last stage with series)")
      ->check(whole_number(1, 9999));
  app.add_option("--draws", reweighting.options.draws,
                 "number of bootstrap draws for the errors (200)")
      ->check(whole_number(20, 10000));
  app.add_option("--seed", reweighting.options.seed, "seed of the bootstrap draws (1)")
      ->check(whole_number(0));
  add_threads_option(app, threads);
  app.add_option("-o,--output", output, "results file to write (RESULTS-reweighted.h5)");
  app.add_flag("-f,--force", force, "replace an existing file");
}

/// @throws InputError if `output` is a file that must not be replaced
void Reweight::require_free_output() const {
  for (const std::string& file : reweighting.choice.files) {
    std::error_code missing;
    if (fs::equivalent(output, file, missing))
      throw InputError("the output '" + output + "' is one of the results files themselves",
                       "choose another --output");
  }
  if (!force && fs::exists(output))
    throw InputError("the output '" + output + "' exists",
                     "give --force to replace this file, or name another --output");
  if (fs::exists(output) && fs::file_size(output) > 0 && !holds_curves(output))
    throw InputError(
        "the output '" + output + "' exists and holds no curves of reweighting",
        "choose another --output, or remove this file: --force replaces only files of curves");
}

int Reweight::run() {
  study::ReweightOptions& options = reweighting.options;
  if (!temperatures.empty()) options.parameter = range_of(of_temperatures, temperatures);
  if (!kappa.empty()) options.parameter = range_of(of_kappa, kappa);
  options.threads = Device::cpu(static_cast<int>(threads)).threads;
  reweighting.command = command_line;
  if (output.empty()) output = default_output(reweighting.choice.files.front(), "-reweighted.h5");
  require_free_output();
  const study::Samples samples = study::read_samples(reweighting.choice);
  require_fitting(*this, samples.parameter);
  std::vector<study::SystemCurves> curves;
  for (const study::SampledSystem& system : samples.systems)
    curves.push_back(study::reweighted(system, samples, options));
  study::write_reweighted(output, force ? io::IfExists::replace : io::IfExists::refuse, reweighting,
                          samples, curves);
  print_text("{}\n", output);
  print_reweighted(io::ResultsReader(output), false);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_reweight() { return std::make_unique<Reweight>(); }

}  // namespace larmor::cli
