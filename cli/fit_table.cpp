#include "cli/fit_table.hpp"

#include <cmath>

#include "cli/output.hpp"

namespace larmor::cli {
namespace {

constexpr std::array kind_words{"energy", "force", "stress"};

std::string number_text(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
}

void print_row(const std::string& name, const std::string& kind, const std::string& part,
               double count, double mean, double root, double largest) {
  if (count == 0) return;
  print_text("  {:<22} {:<7} {:<9} {:>9.0f} {:>12} {:>12} {:>12}\n", name, kind, part, count,
             number_text(mean), number_text(root), number_text(largest));
}

void print_errors(const io::ResultsReader& file) {
  std::vector<std::string> names = file.read<std::string>("/fit/groups");
  names.emplace_back("all");
  print_text("  {:<22} {:<7} {:<9} {:>9} {:>12} {:>12} {:>12}\n", "group", "error", "", "numbers",
             "mean |d|", "root <d^2>", "largest |d|");
  for (std::size_t group = 0; group < names.size(); ++group)
    for (const char* kind : kind_words) {
      const std::string path = std::string("/fit/errors/") + kind;
      const auto count = file.read<double>(path + "/count").require(2 * names.size());
      const auto mean = file.read<double>(path + "/mean_absolute").require(count.size());
      const auto root = file.read<double>(path + "/root_mean_square").require(count.size());
      const auto largest = file.read<double>(path + "/largest").require(count.size());
      for (std::size_t part = 0; part < 2; ++part) {
        const std::size_t n = 2 * group + part;
        print_row(names[group], kind, part == 0 ? "training" : "test", count[n], mean[n], root[n],
                  largest[n]);
      }
    }
}

void print_left_out(const io::ResultsReader& file, const std::string& path) {
  if (!file.exists(path)) return;
  const auto names = file.read<std::string>(path + "/name");
  print_text("  fits without these configurations, root <d^2> of their numbers\n");
  for (std::size_t n = 0; n < names.size(); ++n) {
    std::string text;
    for (const char* kind : kind_words) {
      const std::string of_kind = path + "/" + kind + "/root_mean_square";
      const double error = file.read<double>(of_kind)[n];
      if (std::isfinite(error))
        text += fmt::format("  {} {:.6g} {}", kind, error, file.unit_of(of_kind));
    }
    print_text("  {:<22}{}\n", names[n], text);
  }
}

}  // namespace

void print_fit(const io::ResultsReader& file) {
  const io::Attributes fit = file.attributes("/fit");
  print_text(
      "  {} configurations ({} of them only tested), {} atoms; {} rows, {} columns of rank "
      "{}\n",
      fit.at("configurations").integer(), fit.at("tests").integer(), fit.at("atoms").integer(),
      fit.at("rows").integer(), fit.at("columns").integer(), fit.at("rank").integer());
  print_text("  method {}; condition number {:.3g}, with columns of equal length {:.3g}\n",
             fit.at("method").text(), fit.at("condition").number(),
             fit.at("scaled_condition").number());
  print_text("  rows {:.3g} s, solution {:.3g} s, errors {:.3g} s\n",
             fit.at("seconds_of_rows").number(), fit.at("seconds_of_solution").number(),
             fit.at("seconds_of_errors").number());
  std::string units;
  for (const char* kind : kind_words)
    units += (units.empty() ? "" : ", ") + std::string(kind) + " in " +
             file.unit_of(std::string("/fit/errors/") + kind + "/mean_absolute");
  print_text("  units: {}\n", units);
  print_errors(file);
  print_left_out(file, "/fit/left-out-groups");
  print_left_out(file, "/fit/folds");
}

}  // namespace larmor::cli
