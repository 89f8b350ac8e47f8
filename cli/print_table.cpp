// Prints tables of averages as text, as CSV and as JSON.

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "cli/output.hpp"
#include "cli/results_table.hpp"
#include "larmor/core/input/suggest.hpp"
#include "larmor/core/text.hpp"
#include "larmor/io/files/text_rows.hpp"

namespace larmor::cli {
namespace {

/// Number of quantities that fit next to the temperature in a usual terminal.
constexpr std::size_t most_quantities = 7;
/// Largest number of printed rows. A longer list of temperatures is thinned.
constexpr Index most_rows = 100;

constexpr const char* without_error = "(?)";
constexpr const char* unsure = "*";

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

struct TextColumn {
  std::string title, unit;
  std::vector<std::string> cells;
};

std::string cell_of(const Label& label, std::size_t row) {
  if (!label.texts.empty()) return label.texts[row];
  return std::isnan(label.numbers[row]) ? "" : fmt::format("{:.6g}", label.numbers[row]);
}

std::string cell_of(const TableQuantity& quantity, std::size_t row, bool done) {
  if (!done) return "";
  // A stage that was stopped during a write may have fewer values of one quantity than of another.
  if (row >= quantity.values.size() || std::isnan(quantity.values[row])) return "-";
  const bool has_error = std::isfinite(quantity.errors[row]);
  // If all samples are equal within rounding, a few samples are enough.
  const bool exact = quantity.errors[row] <= 1e-9 * std::abs(quantity.values[row]);
  const bool reliable = quantity.reliable.empty() || quantity.reliable[row] != 0 || exact;
  return with_error(quantity.values[row], quantity.errors[row]) + (!has_error ? without_error
                                                                   : reliable ? ""
                                                                              : unsure);
}

TextColumn column_of(const Label& label, const std::vector<std::size_t>& rows) {
  TextColumn column{label.name, label.unit, {}};
  for (const std::size_t row : rows) column.cells.push_back(cell_of(label, row));
  return column;
}

TextColumn column_of(const TableQuantity& quantity, const ResultsTable& table,
                     const std::vector<std::size_t>& rows) {
  TextColumn column{quantity.name, quantity.unit, {}};
  for (const std::size_t row : rows)
    column.cells.push_back(cell_of(quantity, row, table.done[row]));
  return column;
}

TextColumn times_of(const TableQuantity& quantity, const std::vector<std::size_t>& rows) {
  TextColumn column{quantity.name, "", {}};
  const std::vector<double>& times = quantity.autocorrelation_times;
  for (const std::size_t row : rows) {
    const bool known =
        row < times.size() && std::isfinite(times[row]) && std::isfinite(quantity.errors[row]);
    column.cells.push_back(known ? fmt::format("{:.3g}", times[row]) : "-");
  }
  return column;
}

void print_columns(const std::vector<TextColumn>& columns, const std::vector<std::string>& ends) {
  const auto print_line = [&](const auto& cell_of_column, const std::string& end) {
    std::string line = "  ";
    for (const TextColumn& column : columns) {
      std::size_t width = std::max(width_of(column.title), width_of(column.unit));
      for (const std::string& cell : column.cells) width = std::max(width, width_of(cell));
      const std::string cell = cell_of_column(column);
      line += "  " + std::string(width - width_of(cell), ' ') + cell;
    }
    line += end;
    print_text("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
  };
  print_line([](const TextColumn& column) { return column.title; }, "");
  if (std::any_of(columns.begin(), columns.end(),
                  [](const TextColumn& column) { return !column.unit.empty(); }))
    print_line([](const TextColumn& column) { return column.unit; }, "");
  for (std::size_t row = 0; row < ends.size(); ++row)
    print_line([row](const TextColumn& column) { return column.cells[row]; }, ends[row]);
}

/// Chooses the temperatures of a stage whose rows are printed. They are evenly spaced and include
/// the first and the last.
/// @param points number of points of the scan, each of which has one row per temperature
std::vector<bool> places_shown(Index places, Index points, bool all) {
  const Index count = all ? places : std::max<Index>(most_rows / points, 2);
  std::vector<bool> shown(static_cast<std::size_t>(places), count >= places);
  if (count < places)
    for (Index n = 0; n < count; ++n)
      shown[static_cast<std::size_t>(n * (places - 1) / (count - 1))] = true;
  return shown;
}

std::string labels_text(const std::vector<Label>& labels) {
  std::string words;
  for (const Label& label : labels)
    words += (words.empty() ? "" : ", ") + label.name + " = " + cell_of(label, 0) +
             (label.unit.empty() ? "" : " " + label.unit);
  return words;
}

void print_crossings(const ResultsTable& table) {
  for (const TableCrossing& crossing : table.crossings)
    print_text("    binder_cumulant of {} and of {} crosses at temperature = {}{}{}\n",
               labels_text(crossing.first), labels_text(crossing.second),
               with_error(crossing.value, crossing.error), crossing.unit.empty() ? "" : " ",
               crossing.unit);
  if (table.may_cross && table.crossings.empty())
    print_text("    binder_cumulant: no two sizes cross clearly among these temperatures\n");
}

bool has_mark(const std::vector<TextColumn>& columns, const std::string& mark) {
  return std::any_of(columns.begin(), columns.end(), [&](const TextColumn& column) {
    return std::any_of(column.cells.begin(), column.cells.end(),
                       [&](const std::string& cell) { return cell.ends_with(mark); });
  });
}

/// Prints a note about omitted rows and columns.
void print_left_out(const ResultsTable& table, Index places_printed) {
  if (places_printed < table.places())
    print_text("    {} of {} {}s are printed; --all prints every one\n", places_printed,
               table.places(), table.labels.empty() ? "row" : table.labels.back().name);
  if (table.quantities.size() <= most_quantities) return;
  std::vector<std::string> names;
  for (std::size_t n = most_quantities; n < table.quantities.size(); ++n)
    names.push_back(table.quantities[n].name);
  print_text("    {} more with --all: {}\n", names.size(), comma_list(names));
}

/// Quotes a cell for CSV.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string number_of(const std::vector<double>& numbers, std::size_t row,
                      const std::string& none) {
  if (row >= numbers.size() || !std::isfinite(numbers[row])) return none;
  std::string text;
  io::append_number(text, numbers[row]);
  return text;
}

using CsvRow = std::map<std::string, std::string>;

void add_to(CsvRow& cells, const Label& label, std::size_t row) {
  cells[label.name] =
      label.texts.empty() ? number_of(label.numbers, row, "") : csv_text(label.texts[row]);
  if (label.has_unit) cells[label.name + "_unit"] = csv_text(label.unit);
}

void add_to(CsvRow& cells, const TableQuantity& quantity, std::size_t row) {
  cells[quantity.name] = number_of(quantity.values, row, "");
  cells[quantity.name + "_error"] = number_of(quantity.errors, row, "");
  cells[quantity.name + "_unit"] = csv_text(quantity.unit);
  cells[quantity.name + "_autocorrelation_time"] =
      number_of(quantity.autocorrelation_times, row, "");
  cells[quantity.name + "_reliable"] = number_of(quantity.reliable, row, "");
}

/// Column names of all tables, labels first.
std::vector<std::string> csv_columns(const std::vector<ResultsTable>& tables) {
  std::vector<std::string> labels{"stage"}, quantities;
  const auto add = [](std::vector<std::string>& columns, const std::string& name) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  };
  for (const ResultsTable& table : tables) {
    for (const Label& label : table.labels) {
      add(labels, label.name);
      if (label.has_unit) add(labels, label.name + "_unit");
    }
    for (const TableQuantity& quantity : table.quantities) {
      add(quantities, quantity.name);
      add(quantities, quantity.name + "_error");
      add(quantities, quantity.name + "_unit");
      if (!quantity.autocorrelation_times.empty())
        add(quantities, quantity.name + "_autocorrelation_time");
      if (!quantity.reliable.empty()) add(quantities, quantity.name + "_reliable");
    }
  }
  labels.insert(labels.end(), quantities.begin(), quantities.end());
  return labels;
}

std::string json_list(const std::vector<std::string>& entries) {
  std::string text = "[";
  for (std::size_t n = 0; n < entries.size(); ++n) text += (n > 0 ? ", " : "") + entries[n];
  return text + "]";
}

std::string json_numbers(const std::vector<double>& numbers) {
  std::vector<std::string> entries;
  for (std::size_t n = 0; n < numbers.size(); ++n) entries.push_back(number_of(numbers, n, "null"));
  return json_list(entries);
}

/// A list of numbers becomes a JSON list. Any other text remains TOML, as in the study.
std::string json_value(const Label& label, std::size_t row) {
  if (label.texts.empty()) return number_of(label.numbers, row, "null");
  const bool numbers =
      label.texts[row].find_first_not_of("[]0123456789+-.eE, ") == std::string::npos;
  return numbers ? label.texts[row] : json_string(label.texts[row]);
}

std::string json_of(const Label& label, std::size_t rows) {
  std::vector<std::string> values;
  for (std::size_t row = 0; row < rows; ++row) values.push_back(json_value(label, row));
  return fmt::format("{{\"name\": {}, \"unit\": {}, \"values\": {}}}", json_string(label.name),
                     json_string(label.unit), json_list(values));
}

std::string json_of(const TableQuantity& quantity) {
  std::string text = fmt::format("{{\"name\": {}, \"unit\": {}, \"values\": {}, \"errors\": {}",
                                 json_string(quantity.name), json_string(quantity.unit),
                                 json_numbers(quantity.values), json_numbers(quantity.errors));
  if (!quantity.autocorrelation_times.empty())
    text += ", \"autocorrelation_times\": " + json_numbers(quantity.autocorrelation_times);
  if (!quantity.reliable.empty()) {
    std::vector<std::string> entries;
    for (const double reliable : quantity.reliable)
      entries.emplace_back(reliable != 0 ? "true" : "false");
    text += ", \"reliable\": " + json_list(entries);
  }
  return text + "}";
}

std::string json_of(const TableCrossing& crossing) {
  const auto where = [](const std::vector<Label>& labels) {
    std::string text;
    for (const Label& label : labels)
      text += (text.empty() ? "" : ", ") + json_string(label.name) + ": " + json_value(label, 0);
    return "{" + text + "}";
  };
  return fmt::format(
      "{{\"first\": {}, \"second\": {}, \"temperature\": {}, \"error\": {}, \"unit\": {}}}",
      where(crossing.first), where(crossing.second), number_of({crossing.value}, 0, "null"),
      number_of({crossing.error}, 0, "null"), json_string(crossing.unit));
}

std::string json_of(const ResultsTable& table) {
  std::vector<std::string> labels, quantities, crossings;
  for (const Label& label : table.labels) labels.push_back(json_of(label, table.rows()));
  for (const TableQuantity& quantity : table.quantities) quantities.push_back(json_of(quantity));
  for (const TableCrossing& crossing : table.crossings) crossings.push_back(json_of(crossing));
  return fmt::format(
      "{{\"stage\": {}, \"labels\": {}, \"quantities\": {}, \"binder_crossings\": {}}}",
      json_string(table.stage), json_list(labels), json_list(quantities), json_list(crossings));
}

}  // namespace

std::string with_error(double value, double error) {
  if (!std::isfinite(error)) return fmt::format("{:.10g}", value);
  if (error <= 0) return fmt::format("{:.10g}(0)", value);
  const double size = std::max(std::abs(value), error);
  // An error below one unit of the ninth digit is due to rounding, for instance after minimisation.
  if (error < 1e-9 * size) return fmt::format("{:.9g}", value);
  if (size < 1e-3) {
    const int power = static_cast<int>(std::floor(std::log10(size)));
    const double unit = std::pow(10, power);
    return with_error(value / unit, error / unit) + fmt::format("e{}", power);
  }
  const int digits = std::max(0, 1 - static_cast<int>(std::floor(std::log10(error))));
  const double last = std::round(error * std::pow(10, digits));
  return fmt::format("{:.{}f}({:.0f})", value, digits, last);
}

void print_table(const ResultsTable& table, bool all) {
  const Index places = table.places();
  const Index points = std::max<Index>(
      1, static_cast<Index>(std::count(table.place.begin(), table.place.end(), Index{0})));
  const std::vector<bool> shown = places_shown(places, points, all);
  std::vector<std::size_t> rows;
  std::vector<std::string> ends;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (shown[static_cast<std::size_t>(table.place[row])]) {
      rows.push_back(row);
      ends.emplace_back(table.done[row] ? "" : "  not done");
    }
  std::vector<TextColumn> labels, averages;
  for (const Label& label : table.labels) labels.push_back(column_of(label, rows));
  std::vector<std::vector<TextColumn>> blocks;
  const auto add_block = [&](const std::string& title, const auto& column) {
    for (std::size_t begin = 0; begin < table.quantities.size(); begin += most_quantities) {
      if (begin > 0 && !all) break;
      if (!title.empty()) print_text("    {}\n", title);
      std::vector<TextColumn> columns = labels;
      const std::size_t end = std::min(begin + most_quantities, table.quantities.size());
      for (std::size_t n = begin; n < end; ++n) columns.push_back(column(table.quantities[n]));
      print_columns(columns, ends);
      averages.insert(averages.end(), std::make_move_iterator(columns.begin()),
                      std::make_move_iterator(columns.end()));
    }
  };
  add_block("", [&](const TableQuantity& quantity) { return column_of(quantity, table, rows); });
  if (has_mark(averages, without_error)) print_text("    {}: no error bar\n", without_error);
  if (has_mark(averages, unsure))
    print_text("    {}: too few samples for a reliable error\n", unsure);
  const bool has_times = std::any_of(
      table.quantities.begin(), table.quantities.end(), [](const TableQuantity& quantity) {
        return std::any_of(quantity.autocorrelation_times.begin(),
                           quantity.autocorrelation_times.end(),
                           [](double time) { return std::isfinite(time); });
      });
  if (all && has_times)
    add_block("autocorrelation times, in samples:",
              [&](const TableQuantity& quantity) { return times_of(quantity, rows); });
  if (!all) print_left_out(table, std::count(shown.begin(), shown.end(), true));
  if (!all && has_times) print_text("    autocorrelation times: --all\n");
  print_crossings(table);
}

void print_reweighted(const io::ResultsReader& file, bool all) {
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
    print_text(
        "  {}: {:.0f} samples at {} {} from {:.6g} to {:.6g}{}\n",
        name.empty() ? "one system" : name, samples, sampled.size(),
        thermal ? "temperature(s)" : fmt::format("value(s) of {}", parameter), sampled.front(),
        sampled.back(),
        std::isnan(shared) ? "" : fmt::format(", neighbours share {:.3g} samples or more", shared));
    print_table(all ? table : thinned(table, rows), all);
    if (!all && table.places() > rows)
      print_text("    {} of {} {} are printed; `larmor show --all` prints every one\n", rows,
                 table.places(), thermal ? "temperatures" : fmt::format("values of {}", parameter));
  }
  print_text("  errors by {} draws of the bootstrap\n", attributes.at("draws").integer());
}

void print_csv(const std::vector<ResultsTable>& tables) {
  const std::vector<std::string> columns = csv_columns(tables);
  std::string head;
  for (const std::string& column : columns) head += (head.empty() ? "" : ",") + csv_text(column);
  fmt::print("{}\n", head);
  for (const ResultsTable& table : tables)
    for (std::size_t row = 0; row < table.rows(); ++row) {
      CsvRow cells{{"stage", table.stage}};
      for (const Label& label : table.labels) add_to(cells, label, row);
      for (const TableQuantity& quantity : table.quantities) add_to(cells, quantity, row);
      std::string line;
      for (std::size_t n = 0; n < columns.size(); ++n)
        line += (n > 0 ? "," : "") + cells[columns[n]];
      fmt::print("{}\n", line);
    }
}

void print_json(const io::ResultsReader& file, const std::string& path,
                const std::vector<ResultsTable>& tables) {
  const io::Attributes top = file.attributes("/");
  fmt::print("{{\n  \"results\": {},\n  \"title\": {},\n  \"units\": {},\n  \"completed\": {},\n",
             json_string(path), json_string(top.at("title").text()),
             json_string(top.at("units").text()),
             top.at("completed").integer() != 0 ? "true" : "false");
  if (file.exists("/scan")) {
    const io::Attributes scan = file.attributes("/scan");
    fmt::print("  \"scan\": {{\"points\": {}, \"points_completed\": {}}},\n",
               scan.at("points").integer(), scan.at("points_completed").integer());
  }
  fmt::print("  \"tables\": [");
  for (std::size_t n = 0; n < tables.size(); ++n)
    fmt::print("{}\n    {}", n > 0 ? "," : "", json_of(tables[n]));
  fmt::print("{}]\n}}\n", tables.empty() ? "" : "\n  ");
}

}  // namespace larmor::cli
