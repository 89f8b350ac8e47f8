#pragma once
// Averages of a results file as tables of labels (temperature, scanned keys) and quantities with
// errors, and their output as text, as CSV and as JSON.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::cli {

/// A column that identifies rows of a table; numbers or texts, one entry per row.
struct Label {
  std::string name, unit;
  std::vector<double> numbers;     ///< NaN: no number in this row; empty if there are texts
  std::vector<std::string> texts;  ///< TOML; empty if there are numbers
  bool has_unit = true;            ///< whether it can have a unit; counts cannot
};

/// A measured quantity. Vectors have one entry per row, or none if the values are unknown.
struct TableQuantity {
  std::string name, unit;
  std::vector<double> values, errors;  ///< NaN: unknown
  std::vector<double> autocorrelation_times;
  std::vector<double> reliable;  ///< 0: too few samples for a reliable error
};

/// Crossing of the Binder cumulants of two lattices.
struct TableCrossing {
  std::vector<Label> first, second;  ///< each has one row
  double value, error;
  std::string unit;
};

struct ResultsTable {
  std::string stage;
  std::vector<Label> labels;
  std::vector<TableQuantity> quantities;
  /// For each row, the number of its temperature or field in the stage, from 0.
  std::vector<Index> place;
  std::vector<bool> done;  ///< by row: whether the point of the scan is done
  std::vector<TableCrossing> crossings;
  bool may_cross = false;  ///< whether there are enough sizes and temperatures for crossings

  std::size_t rows() const { return place.size(); }
  /// Number of temperatures or fields of the stage.
  Index places() const;
};

/// Opens the results of one point of a scan. @param point -1: the whole file
/// @throws InputError if there is no such point
io::ResultsReader results_of_point(const std::string& results, Index point);

/// Averages of one stage, by temperature or field; no rows if it has none.
ResultsTable averages_of(const io::ResultsReader& file, const std::string& stage);
/// Overlaps of the copies of a stage, by temperature or field; no rows if it has none.
ResultsTable overlaps_of(const io::ResultsReader& file, const std::string& stage);
/// Numbers of one stage, by temperature if there are several.
ResultsTable numbers_of(const io::ResultsReader& file, const std::string& stage);
/// For each stage of a study: its averages, its overlaps, its numbers.
std::vector<ResultsTable> tables_of_study(const io::ResultsReader& file);
/// For each stage of a scan: a row for each point and temperature.
std::vector<ResultsTable> tables_of_scan(const io::ResultsReader& file);

/// Variable of the reweighted curves, "temperature" or "kappa".
std::string reweighted_in(const io::ResultsReader& file);
/// For each system of reweighted samples: a row for each point of its curves. `ResultsTable::stage`
/// is the group of the system.
std::vector<ResultsTable> tables_of_reweighted(const io::ResultsReader& file);
/// A table with `rows` evenly spaced rows of another, including the first and the last.
ResultsTable thinned(const ResultsTable& table, Index rows);

/// Text such as "1.9549(12)" or "1.2(3)e-5", with the uncertainty of the last digits in brackets.
/// The text is "1.95491" if `error` is NaN (unknown). It has nine digits if `error` is below one
/// unit of the ninth digit.
std::string with_error(double value, double error);
/// Prints a table as text. Unless `all` is set, the last lines list the omissions.
void print_table(const ResultsTable& table, bool all);
/// Prints averages of reweighted samples for each system, at some points or, if `all` is set, at
/// every point.
void print_reweighted(const io::ResultsReader& file, bool all);
/// Prints the tables as one table with a column for the stage. A blank cell is an unknown value.
void print_csv(const std::vector<ResultsTable>& tables);
/// Prints a JSON object with the tables. @param path path of the results
void print_json(const io::ResultsReader& file, const std::string& path,
                const std::vector<ResultsTable>& tables);

}  // namespace larmor::cli
