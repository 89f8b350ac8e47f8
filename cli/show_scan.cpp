// The part of `larmor show` that prints a scan.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "cli/show.hpp"
#include "larmor/core/progress.hpp"

namespace larmor::cli {
namespace {

/// Averages beyond these are in the file.
constexpr std::size_t most_columns = 5;

struct Column {
  std::string title;
  std::vector<std::string> cells;  ///< one a point
};

/// "energy" before "energy_exchange", components and the acceptance last.
int rank_of(const std::string& name) {
  static const std::vector<std::string> first{"magnetisation",  "energy",          "specific_heat",
                                              "susceptibility", "binder_cumulant", "acceptance"};
  const auto found = std::find(first.begin(), first.end(), name);
  if (found != first.end() && name != "acceptance") return static_cast<int>(found - first.begin());
  const bool component = name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= 'x';
  return name == "acceptance" ? 12 : component ? 11 : 10;
}

std::string in_brackets(const std::string& unit) { return unit.empty() ? "" : " (" + unit + ")"; }

/// Values of an axis as they were written.
std::vector<std::string> axis_texts(const io::ResultsReader& file, const std::string& path) {
  if (file.info(path).type == "text") return file.read<std::string>(path);
  std::vector<std::string> texts;
  for (const double value : file.read<double>(path)) texts.push_back(fmt::format("{:.6g}", value));
  return texts;
}

std::vector<Column> axis_columns(const io::ResultsReader& file) {
  const auto keys = file.read<std::string>("/scan/keys");
  const auto index = file.read<std::int64_t>("/scan/points/index");
  const std::size_t points = index.size() / keys.size();
  std::vector<Column> columns{{"point", {}}};
  for (std::size_t point = 0; point < points; ++point)
    columns.front().cells.push_back(std::to_string(point));
  for (std::size_t a = 0; a < keys.size(); ++a) {
    const std::string path = fmt::format("/scan/axes/{:02}/{}", a + 1, keys[a]);
    const std::vector<std::string> texts = axis_texts(file, path);
    Column& column = columns.emplace_back();
    column.title = keys[a] + in_brackets(unit_of(file, path));
    for (std::size_t point = 0; point < points; ++point)
      column.cells.push_back(texts[static_cast<std::size_t>(index[point * keys.size() + a])]);
  }
  return columns;
}

/// Of averages whose error is not known.
constexpr const char* without_error = "(?)";

/// Averages of the last stage that has any. @param left_out how many are not among them
std::vector<Column> average_columns(const io::ResultsReader& file, std::size_t& left_out) {
  if (!file.exists("/scan/summary")) return {};
  const std::string stage = "/scan/summary/" + file.list("/scan/summary").back();
  std::vector<std::string> names = file.list(stage);
  std::stable_sort(names.begin(), names.end(), [](const std::string& one, const std::string& two) {
    return rank_of(one) < rank_of(two);
  });
  left_out = names.size() - std::min(names.size(), most_columns);
  names.resize(names.size() - left_out);
  std::vector<Column> columns;
  for (const std::string& name : names) {
    const auto value = file.read<double>(stage + "/" + name + "/value");
    const auto error = file.read<double>(stage + "/" + name + "/error");
    Column& column = columns.emplace_back();
    column.title = name + in_brackets(unit_of(file, stage + "/" + name + "/value"));
    for (std::size_t point = 0; point < value.size(); ++point) {
      const bool lacks_error = std::isfinite(value[point]) && !std::isfinite(error[point]);
      column.cells.push_back(with_error(value[point], error[point]) +
                             (lacks_error ? without_error : ""));
    }
  }
  return columns;
}

}  // namespace

void show_scan(const io::ResultsReader& file) {
  const io::Attributes scan = file.attributes("/scan");
  double seconds = 0;
  for (const double of_point : file.read<double>("/scan/points/seconds")) seconds += of_point;
  fmt::print("  scan of {} points, {} done in {} of one rank\n", scan.at("points").integer(),
             scan.at("points_completed").integer(), format_duration(seconds));
  std::size_t left_out = 0;
  std::vector<Column> columns = axis_columns(file);
  for (Column& column : average_columns(file, left_out)) columns.push_back(std::move(column));
  const auto done = file.read<std::uint8_t>("/scan/points/completed");
  std::vector<std::size_t> widths;
  std::string head;
  for (const Column& column : columns) {
    std::size_t width = column.title.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    widths.push_back(width);
    head += fmt::format("  {:>{}}", column.title, width);
  }
  fmt::print("{}\n", head);
  for (std::size_t point = 0; point < done.size(); ++point) {
    std::string line;
    for (std::size_t c = 0; c < columns.size(); ++c)
      line += fmt::format("  {:>{}}", columns[c].cells[point], widths[c]);
    fmt::print("{}{}\n", line, done[point] != 0 ? "" : "  not done");
  }
  const auto lacks_error = [](const Column& column) {
    return std::any_of(column.cells.begin(), column.cells.end(), [](const std::string& cell) {
      return cell.find(without_error) != std::string::npos;
    });
  };
  if (std::any_of(columns.begin(), columns.end(), lacks_error))
    fmt::print("  {}: no error bar\n", without_error);
  if (left_out > 0)
    fmt::print("  {} more averages are in /scan/summary; all of a point: larmor show --point N\n",
               left_out);
}

}  // namespace larmor::cli
