// larmor show: prints the contents of a results file.

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <sstream>

#include "cli/commands.hpp"
#include "cli/fit_table.hpp"
#include "cli/output.hpp"
#include "cli/results_table.hpp"
#include "cli/shared/options.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/progress.hpp"
#include "larmor/core/text.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/run/provenance.hpp"

namespace larmor::cli {
namespace {

/// Prints averages of a stage line by line, if the stage has no list of temperatures or fields.
/// @param relaxes whether there is one value per replica instead of a series of samples
void show_lines(const ResultsTable& table, bool relaxes) {
  std::string condition;
  for (const Label& label : table.labels)
    if (!label.numbers.empty() && std::isfinite(label.numbers[0]))
      condition = fmt::format("{} = {:.6g}{}{}", label.name == "field" ? "B" : "T",
                              label.numbers[0], label.unit.empty() ? "" : " ", label.unit);
  for (const TableQuantity& quantity : table.quantities) {
    if (quantity.values.empty()) continue;
    const bool has_error = std::isfinite(quantity.errors[0]);
    print_text("    {:<20} {:<18} {:>20} {:<6} {}{}\n", quantity.name, condition,
               with_error(quantity.values[0], quantity.errors[0]), quantity.unit,
               !has_error ? "no error bar"
               : relaxes  ? ""
                          : fmt::format("tau {:<7.3g}", quantity.autocorrelation_times[0]),
               !has_error || quantity.reliable[0] != 0 ? ""
               : relaxes                               ? "(few replicas: the error is uncertain)"
                                                       : " (too few samples for a reliable error)");
  }
}

void show_averages(const io::ResultsReader& file, const std::string& stage, bool all) {
  const ResultsTable table = averages_of(file, stage);
  if (table.rows() == 1)
    show_lines(table, file.attributes("/stages/" + stage).contains("converged"));
  if (table.rows() > 1) print_table(table, all);
  if (const ResultsTable overlaps = overlaps_of(file, stage); overlaps.rows() > 0)
    print_table(overlaps, all);
}

void print_number(const study::StageNumber& number) {
  print_text("    {:<22} {}{}{}\n", number.name, with_error(number.value, number.error),
             number.unit.empty() ? "" : " ", number.unit);
}

/// Prints coercive and saturation fields, remanence and energy product of a hysteresis loop.
void show_loop(const io::ResultsReader& file, const std::string& stage) {
  if (!file.exists(stage + "/loop")) return;
  for (const study::StageNumber& number : study::stage_numbers(file, stage))
    if (std::isfinite(number.value))
      print_number(number);
    else
      print_text("    {:<22} not found within the fields of the sweep\n", number.name);
}

/// Prints numbers of a stage, such as a gap. Loops and paths print theirs themselves.
void show_numbers(const io::ResultsReader& file, const std::string& stage, bool all) {
  const std::string group = "/stages/" + stage;
  if (file.exists(group + "/loop") || file.exists(group + "/path")) return;
  const ResultsTable table = numbers_of(file, stage);
  if (table.rows() > 1) return print_table(table, all);
  for (const TableQuantity& number : table.quantities)
    if (std::isfinite(number.values[0]))
      print_number({number.name, number.unit, number.values[0], number.errors[0]});
}

void show_path(const io::ResultsReader& file, const std::string& stage) {
  if (!file.exists(stage + "/path")) return;
  const io::Attributes path = file.attributes(stage + "/path");
  const std::string unit = path.at("energy_unit").text();
  const io::Attributes of_stage = file.attributes(stage);
  const auto saddle = of_stage.find("saddle_converged");  // results have it since format 8
  const bool converged = of_stage.at("converged").integer() != 0 ||
                         (saddle != of_stage.end() && saddle->second.integer() != 0);
  const auto energy = [&](const char* name) {
    return fmt::format("{:.{}g}{}{}", path.at(name).number(), converged ? 9 : 3,
                       unit.empty() ? "" : " ", unit);
  };
  const std::string coordinates = stage + "/path/reaction_coordinate";
  const auto coordinate = file.read<double>(coordinates);
  print_text("    path of {} images, {:.6g} {} long; highest: image {}\n", coordinate.size(),
             coordinate.back(), file.unit_of(coordinates), path.at("saddle_image").integer());
  print_text(
      "    {:<18} {} forward, {} backward{}\n", converged ? "barrier" : "highest image",
      energy("barrier_forward"), energy("barrier_backward"),
      converged ? "" : ": neither the path nor the saddle has converged, so this is not a barrier");
}

/// Text of the lifetime exp(-log_rate), also if the number exceeds the range of a double.
std::string lifetime_text(double log_rate) {
  constexpr double largest_exponent = 300;
  const double exponent = -log_rate / std::numbers::ln10;
  // The exponent is infinite if no spin can cross the saddle and the rate is zero.
  if (std::abs(exponent) < largest_exponent || !std::isfinite(exponent))
    return fmt::format("{:.4g}", std::exp(-log_rate));
  const double whole = std::floor(exponent);
  return fmt::format("{:.4g}e{:+.0f}", std::pow(10, exponent - whole), whole);
}

/// Prints the lifetimes of both ends of a path, by temperature.
void show_lifetimes(const io::ResultsReader& file, const std::string& stage) {
  const std::string path = stage + "/lifetime";
  if (!file.exists(path + "/temperature")) return;
  const auto temperature = file.read<double>(path + "/temperature"),
             forward = file.read<double>(path + "/forward/log_rate"),
             backward = file.read<double>(path + "/backward/log_rate");
  // Results of earlier versions lack this value.
  const auto reliable = [&](const char* end) {
    const std::string dataset = path + end + std::string("/reliable");
    return file.exists(dataset)
               ? std::vector<double>(file.read<double>(dataset).require(temperature.size()))
               : std::vector<double>(temperature.size(), 1);
  };
  const std::vector<double> sure_forward = reliable("/forward"),
                            sure_backward = reliable("/backward");
  const auto mark = [](double sure) { return sure != 0 ? "" : "*"; };
  const auto spaced = [](const std::string& unit) { return unit.empty() ? "" : " " + unit; };
  const std::string time = spaced(file.unit_of(path + "/forward/lifetime"));
  const std::string kelvin = spaced(file.unit_of(path + "/temperature"));
  for (std::size_t n = 0; n < temperature.size(); ++n)
    print_text("    lifetime           {}{}{} of the first state, {}{}{} of the last, at {:g}{}\n",
               lifetime_text(forward[n]), mark(sure_forward[n]), time, lifetime_text(backward[n]),
               mark(sure_backward[n]), time, temperature[n], kelvin);
  const auto has_unsure = [](const std::vector<double>& sure) {
    return std::find(sure.begin(), sure.end(), 0.0) != sure.end();
  };
  if (has_unsure(sure_forward) || has_unsure(sure_backward))
    print_text(
        "    *: the barrier is lower than 5 k_B T, so the rate may be wrong by a fifth or more\n");
}

/// Prints a line such as "stiffness 1, 1, 1 eV Å^2", from a dataset of three numbers. Unknown
/// numbers are left out.
void show_long_waves(const io::ResultsReader& file, const std::string& stage, const char* name) {
  const std::string path = stage + "/" + name;
  if (!file.exists(path)) return;
  const auto value = file.read<double>(path);
  std::string words;
  for (std::size_t d = 0; d < 3; ++d)
    if (std::isfinite(value[d]))
      words += fmt::format("{}{} {:.6g}", words.empty() ? "" : ", ", "xyz"[d], value[d]);
  const std::string unit = file.unit_of(path);
  print_text("    {:<18} {}{}{}\n", name, words, unit.empty() ? "" : " ", unit);
}

/// Text with the number of wave vectors and their grid.
std::string wave_vectors(const io::ResultsReader& file, const std::string& group, Index count) {
  const std::string words = fmt::format("{} wave vectors", count);
  if (!file.exists(group + "/grid")) return words;
  const auto grid = file.read<double>(group + "/grid");
  return words + fmt::format(" (grid of {:g} x {:g} x {:g})", grid[0], grid[1], grid[2]);
}

void show_spin_waves(const io::ResultsReader& file, const std::string& stage) {
  if (!file.exists(stage + "/magnetic-cell")) return;
  const Index spins = file.shape(stage + "/magnetic-cell/sites")[0];
  const bool minimum = file.attributes(stage).at("minimum").integer() != 0;
  print_text("    magnetic cell of {} spin(s){}\n", spins,
             minimum ? "" : "; the state is not a minimum of the energy");
  if (file.exists(stage + "/dispersion")) {
    const std::string path = stage + "/dispersion/frequency";
    const auto frequency = file.read<double>(path).require_at_least(1);
    const auto [low, high] = std::minmax_element(frequency.begin(), frequency.end());
    const std::string unit = file.unit_of(path);
    print_text("    dispersion: {}, {} mode(s), frequencies {:.6g} to {:.6g}{}{}\n",
               wave_vectors(file, stage + "/dispersion", file.shape(path)[0]), spins, *low, *high,
               unit.empty() ? "" : " ", unit);
  }
  show_long_waves(file, stage, "stiffness");
  show_long_waves(file, stage, "velocity");
}

/// Text such as "largest 1.2(3) at q = [0, 0, 0]", from values at wave vectors.
std::string largest_of(std::span<const double> value, std::span<const double> error,
                       const std::vector<double>& q) {
  const auto largest =
      static_cast<std::size_t>(std::max_element(value.begin(), value.end()) - value.begin());
  const double* at = q.data() + 3 * largest;
  return fmt::format("largest {}{} at q = [{:.6g}, {:.6g}, {:.6g}]",
                     with_error(value[largest], error[largest]),
                     std::isfinite(error[largest]) ? "" : " (no error bar)", at[0], at[1], at[2]);
}

void show_largest(const io::ResultsReader& file, const std::string& stage, const char* name) {
  const auto q = file.read<double>(stage + "/wave-vectors/q").require_at_least(3);
  const auto numbers = [&](const char* what) {
    return file.read<double>(stage + "/" + name + "/" + what).require(q.size() / 3);
  };
  print_text("    {}: {}\n", name, largest_of(numbers("value"), numbers("error"), q));
}

/// Prints S(q) at equal times, with its largest value at the last temperature.
void show_static(const io::ResultsReader& file, const std::string& group, const std::string& name) {
  const auto value = file.read<double>(group + "/static").require_at_least(1);
  const auto error = file.read<double>(group + "/static_error").require(value.size());
  const auto shape = file.shape(group + "/static");
  const auto wave_vectors_there = static_cast<std::size_t>(shape[1]);
  const std::size_t latest = value.size() - wave_vectors_there;
  const auto reliable = file.read<double>(group + "/reliable");
  const auto unsure = std::count(reliable.begin(), reliable.end(), 0.0);
  const bool by_replicas = file.attributes(group).at("errors").text() == "replicas";
  print_text("    {}: {}, {} temperature(s), at the last {}{}\n", name,
             wave_vectors(file, group, shape[1]), shape[0],
             largest_of(std::span(value).subspan(latest), std::span(error).subspan(latest),
                        file.read<double>(group + "/q").require(3 * wave_vectors_there)),
             unsure == 0 ? ""
                         : fmt::format("   ({} to be sure of {} of {} errors)",
                                       by_replicas ? "too few replicas" : "too few samples", unsure,
                                       value.size()));
}

/// Prints the mean of C between each two groups of sites, if there are few groups.
void show_groups(const io::ResultsReader& file, const std::string& stage) {
  constexpr std::size_t most_in_full = 4;
  const auto names = file.read<std::string>(stage + "/between-groups/names");
  if (names.size() > most_in_full) return;
  const auto value = file.read<double>(stage + "/between-groups/correlation/value");
  const auto error = file.read<double>(stage + "/between-groups/correlation/error");
  for (std::size_t a = 0; a < names.size(); ++a)
    for (std::size_t b = a; b < names.size(); ++b) {
      const std::size_t n = a * names.size() + b;
      print_text("      {:<25} {:>20}{}\n", names[a] + ", " + names[b],
                 with_error(value[n], error[n]), std::isfinite(error[n]) ? "" : "  no error bar");
    }
}

/// Prints the bins of correlations in a group of the results.
void show_pair_bins(const io::ResultsReader& file, const std::string& group,
                    const char* indent = "    ") {
  if (const std::string path = group + "/by-distance/edges"; file.exists(path)) {
    const auto edges = file.read<double>(path);
    const std::string unit = file.unit_of(path);
    print_text("{}by distance: {} bin(s) up to {:.6g}{}{}\n", indent, edges.size() - 1,
               edges.back(), unit.empty() ? "" : " ", unit);
  }
  if (const std::string path = group + "/by-displacement/pairs"; file.exists(path)) {
    const auto shape = file.shape(path);
    print_text("{}by displacement: {} x {} x {} cells, {} atom(s) of the basis\n", indent, shape[2],
               shape[3], shape[4], shape[0]);
  }
  if (const std::string path = group + "/between-groups/names"; file.exists(path))
    print_text("{}between {} group(s)\n", indent, file.shape(path)[0]);
}

/// Prints the bins of the correlations C, and the extremes of C with their sites.
void show_distribution(const io::ResultsReader& file, const std::string& group) {
  const auto edges = file.read<double>(group + "/edges");
  const auto below = file.read<double>(group + "/below/value");
  const auto above = file.read<double>(group + "/above/value");
  print_text(
      "    distribution: {} bin(s) of C from {:.6g} to {:.6g}, {:.6g} pairs below, {:.6g} "
      "above\n",
      edges.size() - 1, edges.front(), edges.back(), below[0], above[0]);
  for (const std::string name : {"largest", "smallest"}) {
    const auto sites = file.read<double>(group + "/" + name + "/sites");
    if (sites[0] < 0) continue;
    print_text("      {} {:.6g} between sites {:.0f} and {:.0f}\n", name,
               file.read<double>(group + "/" + name + "/value")[0], sites[0], sites[1]);
  }
}

void show_pair_correlations(const io::ResultsReader& file, const std::string& stage) {
  if (file.exists(stage + "/wave-vectors")) {
    print_text("    {}\n", wave_vectors(file, stage + "/wave-vectors",
                                        file.shape(stage + "/wave-vectors/q")[0]));
    show_largest(file, stage, "structure");
    show_largest(file, stage, "spin-glass-susceptibility");
  }
  show_pair_bins(file, stage);
  if (file.exists(stage + "/between-groups")) show_groups(file, stage);
  if (file.exists(stage + "/distribution")) show_distribution(file, stage + "/distribution");
}

void show_notes(const io::Attributes& of_stage) {
  const auto note = of_stage.find("note");
  if (note == of_stage.end()) return;
  // Each further line of the note begins on a new line of the output.
  std::istringstream lines("note: " + note->second.text());
  for (std::string line; std::getline(lines, line);) print_text("    {}\n", line);
}

void show_stage(const io::ResultsReader& file, const std::string& name, bool all) {
  const std::string stage = "/stages/" + name;
  const io::Attributes attributes = file.attributes(stage);
  const bool completed = attributes.at("completed").integer() != 0;
  if (completed) {
    print_text("  {}: done in {}, {}\n", name,
               format_duration(attributes.at("wall_seconds").number()),
               format_rate(attributes.at("rate").number(), "updates"));
  } else {
    print_text("  {}: not finished\n", name);
  }
  const auto converged = attributes.find("converged");
  if (converged != attributes.end() && converged->second.integer() == 0)
    print_text("    has not converged\n");
  show_notes(attributes);
  show_averages(file, name, all);
  show_numbers(file, name, all);
  show_path(file, stage);
  show_lifetimes(file, stage);
  show_loop(file, stage);
  show_spin_waves(file, stage);
  show_pair_correlations(file, stage);
  for (const std::string& content : file.list(stage)) {
    if (content.rfind("pair-correlations", 0) == 0) {
      const std::string group = stage + "/" + content;
      print_text("    {}: {} times, {} frequencies\n", content, file.shape(group + "/time")[0],
                 file.shape(group + "/frequency")[0]);
      show_pair_bins(file, group, "      ");
    }
    if (content.rfind("structure-factor", 0) != 0) continue;
    if (!file.exists(stage + "/" + content + "/intensity")) {
      show_static(file, stage + "/" + content, content);
      continue;
    }
    const auto shape = file.shape(stage + "/" + content + "/intensity");
    print_text("    {}: {}, {} frequencies\n", content,
               wave_vectors(file, stage + "/" + content, shape[0]), shape[1]);
  }
}

void show_system(const io::ResultsReader& file) {
  Index sites = 0;
  const io::Attributes model = file.attributes("/model");
  if (model.contains("sites")) {
    sites = model.at("sites").integer();
  } else if (file.exists("/model/moments")) {  // older results lack the number of sites
    sites = file.shape("/model/moments")[0];
  } else {
    sites = file.shape("/model/basis/moments")[0];
    for (const std::int64_t cells : file.read<std::int64_t>("/model/size")) sites *= cells;
  }
  print_text("  {} sites, {}\n", sites,
             model.at(model.contains("lattice") ? "lattice" : "kind").text());
}

/// Prints the scanned keys, and the averages of the last stage at each point. If `all` is set,
/// prints those of every stage.
void show_scan(const io::ResultsReader& file, bool all) {
  const io::Attributes scan = file.attributes("/scan");
  double seconds = 0;
  for (const double of_point : file.read<double>("/provenance/points/seconds")) seconds += of_point;
  print_text("  scan of {} points, {} done; their stages took {} in all\n",
             scan.at("points").integer(), scan.at("points_completed").integer(),
             format_duration(seconds));
  const std::vector<ResultsTable> tables = tables_of_scan(file);
  // The last stage usually has the results; earlier stages prepare the spins.
  const std::string last = tables.empty() ? "" : tables.back().stage;
  std::string before;
  for (const ResultsTable& table : tables) {
    const bool shown = all || table.stage == last;
    if (table.stage != before) print_text("  {}{}\n", table.stage, shown ? "" : ": see --all");
    before = table.stage;
    if (shown) print_table(table, all);
  }
  if (!tables.empty()) print_text("  all results of one point: --point N\n");
}

/// Prints each leg of a run that was resumed.
void show_legs(const std::vector<io::Attributes>& legs) {
  if (legs.size() < 2) return;
  print_text("  resumed {} time(s):\n", legs.size() - 1);
  for (const io::Attributes& leg : legs) {
    // Each point of a scan has its own device.
    const auto device = leg.find("device");
    print_text("    {} to {}, larmor {} ({}){}\n", leg.at("started").text(), leg.at("ended").text(),
               leg.at("version").text(), leg.at("commit").text(),
               device == leg.end() ? "" : ", " + device->second.text());
  }
}

struct Show final : Command {
  std::string results;
  Index point = -1;  ///< point of a scan; -1: the whole scan
  bool all = false;  ///< also rows that tables omit for brevity
  bool as_csv = false, as_json = false;

  Show();
  void add_options(CLI::App& app) override;
  int run() override;
};

Show::Show()
    : Command("show", "Print the contents of a results file",
              "Examples:\n"
              "  larmor show study.h5                   Averages by temperature, or by point of a "
              "scan.\n"
              "  larmor show study.h5 --point 5         All results of one point of a scan.\n"
              "  larmor show study.h5 --csv > study.csv\n") {}

void Show::add_options(CLI::App& app) {
  app.add_option("results", results, "results file")->required();
  app.add_option("--point", point, "number of a point of a scan, from 0")->check(whole_number(0));
  app.add_flag("--all", all,
               "print every temperature, average and stage, and autocorrelation times. Without "
               "--all, each shortened table says how much is left out");
  CLI::Option* csv_flag =
      app.add_flag("--csv", as_csv,
                   "print all averages as CSV, with a row for each point and temperature. Values "
                   "have full precision, and errors and units have separate columns. A blank cell "
                   "stands for an unknown value");
  app.add_flag("--json", as_json, "print all averages as JSON; null stands for an unknown value")
      ->excludes(csv_flag);
}

int Show::run() {
  const io::ResultsReader file = results_of_point(results, point);
  const bool is_fit = file.exists("/fit");
  if ((as_csv || as_json) && is_fit)
    throw InputError("'" + results + "' has the errors of a fit, and no averages",
                     "leave out --csv and --json, or read the file in Python: larmor.open");
  if (as_csv || as_json) {
    const std::vector<ResultsTable> tables = file.exists("/reweighted") ? tables_of_reweighted(file)
                                             : file.exists("/scan")     ? tables_of_scan(file)
                                                                        : tables_of_study(file);
    as_csv ? print_csv(tables) : print_json(file, results, tables);
    return 0;
  }
  const io::Attributes top = file.attributes("/");
  const io::Attributes origin = file.attributes("/provenance");
  const std::vector<io::Attributes> legs = study::legs_of(file);
  print_text("{}\n", top.at("title").text().empty() ? results : top.at("title").text());
  print_text("  {}, larmor {} ({}), seed {}, {}\n", origin.at("started").text(),
             legs.front().at("version").text(), legs.front().at("commit").text(),
             origin.at("seed").one<std::uint64_t>(),
             top.at("completed").integer() != 0
                 ? "completed"
                 : "not completed: larmor resume " + shell_word(results));
  show_legs(legs);
  if (file.exists("/reweighted")) {
    print_reweighted(file, all);
    return 0;
  }
  if (is_fit) {
    print_fit(file);
    return 0;
  }
  if (file.exists("/scan")) {
    show_scan(file, all);
    return 0;
  }
  show_system(file);
  if (file.exists("/stages"))
    for (const std::string& stage : file.list("/stages")) show_stage(file, stage, all);
  return 0;
}

}  // namespace

std::unique_ptr<Command> make_show() { return std::make_unique<Show>(); }

}  // namespace larmor::cli
