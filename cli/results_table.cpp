// Reads averages of a results file into tables.

#include "cli/results_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "larmor/core/error.hpp"
#include "larmor/io/files/text_rows.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/scan/scan_results.hpp"

namespace larmor::cli {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Position of a quantity in tables: "energy" before "energy_exchange", and components last.
int rank_of(const std::string& name) {
  static const std::vector<std::string> first{
      "energy",          "specific_heat",    "magnetisation", "susceptibility",
      "binder_cumulant", "acceptance",       "temperature",   "pressure",
      "volume",          "potential_energy", "enthalpy"};
  const auto found = std::find(first.begin(), first.end(), name);
  if (found != first.end()) return static_cast<int>(found - first.begin());
  const bool component = name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= 'x';
  // Quantities for finite-size scaling are rarely read, so they follow all others.
  const bool of_scaling =
      name.ends_with("_slope") || name.ends_with("_squared") || name.ends_with("_fourth");
  return of_scaling ? 102 : component ? 101 : 100;
}

void sort_by_rank(std::vector<TableQuantity>& quantities) {
  std::stable_sort(quantities.begin(), quantities.end(), [](const auto& one, const auto& other) {
    return rank_of(one.name) < rank_of(other.name);
  });
}

std::vector<Index> counted(std::size_t count) {
  std::vector<Index> numbers(count);
  for (std::size_t n = 0; n < count; ++n) numbers[n] = static_cast<Index>(n);
  return numbers;
}

/// The temperatures, fields or couplings of a stage, as a label. The name is empty if there are
/// none.
Label points_of(const io::ResultsReader& file, const std::string& stage) {
  for (const std::string name : {"temperature", "field", "kappa"})
    if (const std::string path = stage + "/" + name; file.exists(path))
      return {name, file.unit_of(path), file.read<double>(path), {}};
  return {};
}

/// Adds as many rows as the longest quantity has. @param points temperatures or fields of the stage
void add_rows(ResultsTable& table, Label points) {
  std::size_t rows = 0;
  for (const TableQuantity& quantity : table.quantities)
    rows = std::max(rows, quantity.values.size());
  if (!points.name.empty()) {
    points.numbers.resize(rows, nan);
    table.labels.push_back(std::move(points));
  }
  table.place = counted(rows);
  table.done.assign(rows, true);
}

std::string list_text(const double* numbers, std::size_t count) {
  std::string text = "[";
  for (std::size_t n = 0; n < count; ++n) {
    if (n > 0) text += ", ";
    io::append_number(text, numbers[n]);
  }
  return text + "]";
}

/// The values of a scanned key.
Label axis_of(const io::ResultsReader& file, const std::string& group, const std::string& key) {
  const std::string path = group + "/" + key;
  Label axis{key, file.unit_of(path), {}, {}};
  if (file.info(path).type == "text") {
    axis.texts = file.read<std::string>(path);
    return axis;
  }
  const auto shape = file.shape(path);
  axis.numbers = file.read<double>(path);
  if (shape.size() == 1) return axis;
  const auto length = static_cast<std::size_t>(shape[1]);
  if (length == 0) io::refuse_count(file.place(path), 0, 1);
  for (std::size_t n = 0; n + length <= axis.numbers.size(); n += length)
    axis.texts.push_back(list_text(axis.numbers.data() + n, length));
  axis.numbers.clear();
  return axis;
}

/// The key of each [[scan]] table, and the keys that vary with it.
std::vector<std::vector<Label>> axes_of(const io::ResultsReader& file) {
  std::vector<std::vector<Label>> axes;
  for (const std::string& key : file.read<std::string>("/scan/keys")) {
    const std::string group = fmt::format("/scan/axes/{:02}", axes.size() + 1);
    std::vector<Label> keys{axis_of(file, group, key)};
    for (const std::string& other : file.list(group)) {
      Label along = axis_of(file, group, other);
      const bool same = along.numbers == keys[0].numbers && along.texts == keys[0].texts &&
                        along.unit == keys[0].unit;
      if (!same) keys.push_back(std::move(along));
    }
    axes.push_back(std::move(keys));
  }
  return axes;
}

/// Appends row `row` of one label to another.
void append_row(Label& to, const Label& from, std::size_t row) {
  if (from.texts.empty())
    to.numbers.push_back(from.numbers[row]);
  else
    to.texts.push_back(from.texts[row]);
}

/// Data of a scan that are common to all stages.
struct ScanFrame {
  std::vector<std::vector<Label>> axes;
  std::vector<std::int64_t> index;  ///< [points, axes]
  std::vector<std::uint8_t> done;   ///< [points]

  explicit ScanFrame(const io::ResultsReader& file)
      : axes(axes_of(file)),
        index(file.read<std::int64_t>("/scan/points/index")),
        done(file.read<std::uint8_t>("/scan/points/completed")) {
    const std::string path = "/scan/points/index";
    if (done.empty()) io::refuse_count(file.place("/scan/points/completed"), 0, 1);
    if (index.size() != done.size() * axes.size())
      io::refuse_count(file.place(path), index.size(), done.size() * axes.size());
    require_rows(index, 0, file.place(path));
  }

  /// @param rows for each axis, the number of its value @throws MachineError if an axis has no such
  /// value
  void require_rows(const std::vector<std::int64_t>& rows, std::int64_t least,
                    const std::string& place) const {
    for (std::size_t n = 0; n < rows.size(); ++n)
      for (const Label& key : axes[n % axes.size()]) {
        const std::size_t values = std::max(key.numbers.size(), key.texts.size());
        if (rows[n] < least || rows[n] >= static_cast<std::int64_t>(values))
          throw MachineError(place + " names value " + std::to_string(rows[n]) + " of '" +
                             key.name + "', which has " + std::to_string(values) +
                             ": the file is damaged, or another program changed it");
      }
  }

  bool has_key(const std::string& begin) const {
    return std::any_of(axes.begin(), axes.end(), [&](const std::vector<Label>& keys) {
      return std::any_of(keys.begin(), keys.end(), [&](const Label& key) {
        return key.name == begin || key.name.starts_with(begin + ".");
      });
    });
  }
};

/// A quantity of the summary, or the temperatures of a stage, for all points of a scan.
struct Grid {
  std::string name, unit;
  std::size_t width = 1;  ///< number of values for each point
  std::vector<double> values, errors;
  std::vector<double> autocorrelation_times, reliable;  ///< empty: not in the file
};

Grid grid_of(const io::ResultsReader& file, const std::string& group, const std::string& name,
             std::size_t points) {
  const std::string path = group + "/" + name;
  const auto value = file.read<double>(path + "/value");
  const std::size_t count = value.size();
  value.require(count / points * points);
  Grid grid{name,
            file.unit_of(path + "/value"),
            1,
            value,
            file.read<double>(path + "/error").require(count),
            {},
            {}};
  const auto read_if_there = [&](const std::string& dataset, std::vector<double>& numbers) {
    if (file.exists(path + dataset)) numbers = file.read<double>(path + dataset).require(count);
  };
  read_if_there("/autocorrelation_time", grid.autocorrelation_times);
  read_if_there("/reliable", grid.reliable);
  grid.width = grid.values.size() / points;
  return grid;
}

/// Rows of the quantities with `width` values per point.
ResultsTable table_of_width(const ScanFrame& frame, const std::vector<Grid>& grids,
                            const Grid& stage_points, std::size_t width) {
  ResultsTable table;
  const bool has_points = !stage_points.name.empty() && stage_points.width == width;
  table.labels.push_back({"point", "", {}, {}, false});
  for (const std::vector<Label>& keys : frame.axes)
    for (const Label& key : keys) table.labels.push_back({key.name, key.unit, {}, {}});
  if (has_points) table.labels.push_back({stage_points.name, stage_points.unit, {}, {}});
  std::vector<const Grid*> of_width;
  for (const Grid& grid : grids)
    if (grid.width == width) {
      of_width.push_back(&grid);
      table.quantities.push_back({grid.name, grid.unit, {}, {}, {}, {}});
    }
  for (std::size_t point = 0; point < frame.done.size(); ++point)
    for (std::size_t n = 0; n < width; ++n) {
      const std::size_t entry = point * width + n;
      const bool done = frame.done[point] != 0;
      // A point may have fewer temperatures than another point, and its unused rows are left out.
      // An unfinished point has one row that says so.
      const bool empty = done ? has_points && std::isnan(stage_points.values[entry]) : n > 0;
      if (empty) continue;
      std::size_t label = 0;
      table.labels[label++].numbers.push_back(static_cast<double>(point));
      for (std::size_t axis = 0; axis < frame.axes.size(); ++axis)
        for (const Label& key : frame.axes[axis])
          append_row(table.labels[label++], key,
                     static_cast<std::size_t>(frame.index[point * frame.axes.size() + axis]));
      if (has_points) table.labels[label].numbers.push_back(stage_points.values[entry]);
      for (std::size_t q = 0; q < of_width.size(); ++q) {
        table.quantities[q].values.push_back(of_width[q]->values[entry]);
        table.quantities[q].errors.push_back(of_width[q]->errors[entry]);
        const auto add_known = [entry](std::vector<double>& column,
                                       const std::vector<double>& known) {
          if (!known.empty()) column.push_back(known[entry]);
        };
        add_known(table.quantities[q].autocorrelation_times, of_width[q]->autocorrelation_times);
        add_known(table.quantities[q].reliable, of_width[q]->reliable);
      }
      table.place.push_back(static_cast<Index>(n));
      table.done.push_back(done);
    }
  return table;
}

std::vector<TableCrossing> crossings_of(const io::ResultsReader& file, const ScanFrame& frame,
                                        const std::string& path) {
  if (!file.exists(path)) return {};
  const auto first = file.read<std::int64_t>(path + "/first");
  const auto second = file.read<std::int64_t>(path + "/second");
  const auto value = file.read<double>(path + "/value");
  const auto error = file.read<double>(path + "/error");
  const std::size_t axes = frame.axes.size();
  frame.require_rows(first, -1, file.place(path + "/first"));
  frame.require_rows(second, -1, file.place(path + "/second"));
  const auto labels = [&](const io::StoredValues<std::int64_t>& index, std::size_t n) {
    std::vector<Label> found;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::int64_t entry = index[n * axes + axis];
      if (entry < 0) continue;
      const Label& key = frame.axes[axis].front();
      append_row(found.emplace_back(Label{key.name, key.unit, {}, {}}), key,
                 static_cast<std::size_t>(entry));
    }
    return found;
  };
  std::vector<TableCrossing> crossings;
  for (std::size_t n = 0; n < value.size(); ++n)
    crossings.push_back(
        {labels(first, n), labels(second, n), value[n], error[n], file.unit_of(path + "/value")});
  return crossings;
}

std::vector<ResultsTable> tables_of_stage(const io::ResultsReader& file, const ScanFrame& frame,
                                          const std::string& stage) {
  const std::string summary = "/scan/summary/" + stage, more = "/scan/stages/" + stage;
  const std::size_t points = frame.done.size();
  std::map<std::size_t, std::vector<Grid>> by_width;
  for (const std::string& name : file.list(summary)) {
    Grid grid = grid_of(file, summary, name, points);
    by_width[grid.width].push_back(std::move(grid));
  }
  Grid stage_points;
  if (file.exists(more)) {
    Label values = points_of(file, more);
    const std::size_t width = values.numbers.size() / points;
    const bool scanned =
        frame.has_key(fmt::format("stage.{}.{}", io::number_of_group(stage, file.place(summary)),
                                  values.name)) ||
        frame.has_key("phi4." + values.name);
    // A scanned temperature is already among the scanned keys.
    if (!values.name.empty() && (width > 1 || !scanned))
      stage_points = {values.name, values.unit, width, std::move(values.numbers), {}, {}, {}};
  }
  std::vector<ResultsTable> tables;
  for (const auto& [width, grids] : by_width) {
    ResultsTable table = table_of_width(frame, grids, stage_points, width);
    table.stage = stage;
    sort_by_rank(table.quantities);
    const bool has_binder = std::any_of(grids.begin(), grids.end(), [](const Grid& grid) {
      return grid.name == "binder_cumulant";
    });
    if (has_binder) table.crossings = crossings_of(file, frame, more + "/binder_crossings");
    table.may_cross =
        has_binder && frame.has_key("lattice.size") &&
        (width > 1 || frame.has_key(fmt::format("stage.{}.temperature",
                                                io::number_of_group(stage, file.place(summary)))));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace

io::ResultsReader results_of_point(const std::string& results, Index point) {
  const io::ResultsReader whole(results);
  if (point < 0) return io::ResultsReader(results);
  if (!whole.exists("/scan"))
    throw InputError("'" + results + "' has no points: nothing was scanned", "leave --point out");
  const Index points = whole.attributes("/scan").at("points").integer();
  const std::string group = study::point_group(point);
  if (!whole.exists(group))
    throw InputError(fmt::format("point {} is not in '{}'", point, results),
                     fmt::format("the scan has the points 0 to {}{}", points - 1,
                                 point < points ? "; this point is not done yet" : ""));
  return {results, group};
}

ResultsTable averages_of(const io::ResultsReader& file, const std::string& stage) {
  ResultsTable table;
  const std::string path = "/stages/" + stage;
  if (!file.exists(path + "/averages")) return table;
  table.stage = stage;
  for (const std::string& name : file.list(path + "/averages")) {
    const std::string quantity_path = path + "/averages/" + name;
    const auto value = file.read<double>(quantity_path + "/value");
    const auto beside_value = [&](const char* what) {
      return file.read<double>(quantity_path + "/" + what).require(value.size());
    };
    table.quantities.push_back({name, file.unit_of(quantity_path + "/value"), value,
                                beside_value("error"), beside_value("autocorrelation_time"),
                                beside_value("reliable")});
  }
  sort_by_rank(table.quantities);
  add_rows(table, points_of(file, path));
  return table;
}

ResultsTable overlaps_of(const io::ResultsReader& file, const std::string& stage) {
  ResultsTable table;
  const std::string path = "/stages/" + stage, group = path + "/overlap";
  if (!file.exists(group)) return table;
  table.stage = stage;
  for (const std::string& name : file.list(group)) {
    const std::string quantity_path = group + "/" + name;
    // The energy is already among the averages of the stage.
    if (name == "energy" || name == "distribution" || !file.exists(quantity_path + "/value"))
      continue;
    const auto value = file.read<double>(quantity_path + "/value");
    table.quantities.push_back({name,
                                file.unit_of(quantity_path + "/value"),
                                value,
                                file.read<double>(quantity_path + "/error").require(value.size()),
                                {},
                                {}});
  }
  add_rows(table, points_of(file, path));
  return table;
}

ResultsTable numbers_of(const io::ResultsReader& file, const std::string& stage) {
  ResultsTable table;
  table.stage = stage;
  for (const study::StageNumber& number : study::stage_numbers(file, "/stages/" + stage)) {
    if (table.quantities.empty() || table.quantities.back().name != number.name)
      table.quantities.push_back({number.name, number.unit, {}, {}, {}, {}});
    table.quantities.back().values.push_back(number.value);
    table.quantities.back().errors.push_back(number.error);
  }
  const bool has_rows = std::ranges::any_of(
      table.quantities, [](const TableQuantity& each) { return each.values.size() > 1; });
  add_rows(table, has_rows ? points_of(file, "/stages/" + stage) : Label{});
  return table;
}

Index ResultsTable::places() const {
  return place.empty() ? 0 : *std::max_element(place.begin(), place.end()) + 1;
}

std::vector<ResultsTable> tables_of_study(const io::ResultsReader& file) {
  std::vector<ResultsTable> tables;
  if (!file.exists("/stages")) return tables;
  for (const std::string& stage : file.list("/stages"))
    for (ResultsTable table :
         {averages_of(file, stage), overlaps_of(file, stage), numbers_of(file, stage)})
      if (!table.quantities.empty()) tables.push_back(std::move(table));
  return tables;
}

std::vector<ResultsTable> tables_of_scan(const io::ResultsReader& file) {
  const ScanFrame frame(file);
  std::vector<ResultsTable> tables;
  if (!file.exists("/scan/summary")) return tables;
  for (const std::string& stage : file.list("/scan/summary"))
    for (ResultsTable& table : tables_of_stage(file, frame, stage))
      tables.push_back(std::move(table));
  return tables;
}

std::string reweighted_in(const io::ResultsReader& file) {
  const io::Attributes attributes = file.attributes("/reweighted");
  const auto parameter = attributes.find("parameter");
  return parameter == attributes.end() ? "temperature" : parameter->second.text();
}

std::vector<ResultsTable> tables_of_reweighted(const io::ResultsReader& file) {
  std::vector<ResultsTable> tables;
  for (const std::string& system : file.list("/reweighted/systems")) {
    ResultsTable table;
    table.stage = "/reweighted/systems/" + system;
    const std::string parameter = reweighted_in(file), values = table.stage + "/" + parameter;
    const auto reliable = file.read<double>(table.stage + "/reliable");
    const std::size_t rows = reliable.size();
    table.labels.push_back(
        {parameter, file.unit_of(values), file.read<double>(values).require(rows), {}});
    for (const std::string& name : file.list(table.stage + "/curves")) {
      const std::string quantity_path = table.stage + "/curves/" + name;
      table.quantities.push_back({name,
                                  file.unit_of(quantity_path + "/value"),
                                  file.read<double>(quantity_path + "/value").require(rows),
                                  file.read<double>(quantity_path + "/error").require(rows),
                                  {},
                                  reliable});
    }
    sort_by_rank(table.quantities);
    table.place = counted(rows);
    table.done.assign(rows, true);
    tables.push_back(std::move(table));
  }
  return tables;
}

ResultsTable thinned(const ResultsTable& table, Index rows) {
  const Index all = static_cast<Index>(table.rows());
  if (all <= rows) return table;
  const auto some_of = [&](const std::vector<double>& values) {
    std::vector<double> some;
    for (Index n = 0; n < rows && !values.empty(); ++n)
      some.push_back(values[static_cast<std::size_t>(n * (all - 1) / (rows - 1))]);
    return some;
  };
  ResultsTable thin = table;
  for (Label& label : thin.labels) label.numbers = some_of(label.numbers);
  for (TableQuantity& quantity : thin.quantities) {
    quantity.values = some_of(quantity.values);
    quantity.errors = some_of(quantity.errors);
    quantity.reliable = some_of(quantity.reliable);
  }
  thin.place = counted(static_cast<std::size_t>(rows));
  thin.done.assign(static_cast<std::size_t>(rows), true);
  return thin;
}

}  // namespace larmor::cli
