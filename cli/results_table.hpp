#pragma once
// Averages of a results file as tables of labels (temperature, scanned keys) and quantities with
// their errors, and three ways to write them: for eyes, as CSV, as JSON.

#include <string>
#include <vector>

#include "larmor/core/types.hpp"
#include "larmor/io/results/results_reader.hpp"

namespace larmor::cli {

/// What tells the rows of a table apart. Either has one entry a row.
struct Label {
  std::string name, unit;
  std::vector<double> numbers;     ///< NaN: none in this row; empty where there are texts
  std::vector<std::string> texts;  ///< TOML; empty where there are numbers
  bool has_unit = true;            ///< can it have one? Counts cannot.
};

/// What was measured. Vectors have one entry a row, or none where nothing is known of that kind.
struct TableQuantity {
  std::string name, unit;
  std::vector<double> values, errors;  ///< NaN: not known
  std::vector<double> autocorrelation_times;
  std::vector<double> reliable;  ///< 0: too few samples to be sure of the error
};

/// Where the Binder cumulants of two lattices cross.
struct TableCrossing {
  std::vector<Label> first, second;  ///< of one row each
  double value, error;
  std::string unit;
};

struct ResultsTable {
  std::string stage;
  std::vector<Label> labels;
  std::vector<TableQuantity> quantities;
  /// Of each row, which of the stage's temperatures or fields it is, from 0.
  std::vector<Index> place;
  std::vector<bool> done;  ///< by row: is the point of the scan done?
  std::vector<TableCrossing> crossings;
  bool may_cross = false;  ///< are there sizes and temperatures enough for crossings?

  std::size_t rows() const { return place.size(); }
  /// Temperatures or fields of the stage.
  Index places() const;
};

/// Averages of one stage, by temperature or field; no rows: it has none.
ResultsTable averages_of(const io::ResultsReader& file, const std::string& stage);
/// Overlaps of the copies of a stage, by temperature or field; no rows: it has none.
ResultsTable overlaps_of(const io::ResultsReader& file, const std::string& stage);
/// Of each stage of a study: its averages, its overlaps, its single numbers.
std::vector<ResultsTable> tables_of_study(const io::ResultsReader& file);
/// Of each stage of a scan, a row for each point and temperature.
std::vector<ResultsTable> tables_of_scan(const io::ResultsReader& file);

/// What reweighted curves are functions of, "temperature" or "kappa".
std::string reweighted_in(const io::ResultsReader& file);
/// Of each system of reweighted samples, a row for each point of its curves. `stage` is its group.
std::vector<ResultsTable> tables_of_reweighted(const io::ResultsReader& file);
/// So many rows of a table, evenly spaced from the first to the last.
ResultsTable thinned(const ResultsTable& table, Index rows);

/// Prints a table for eyes. What is left out, unless `all`, is told at its end.
void print_table(const ResultsTable& table, bool all);
/// Prints the tables as one, with a column for the stage: blank cells are what is not known.
void print_csv(const std::vector<ResultsTable>& tables);
/// Prints an object with the tables. @param path of the results
void print_json(const io::ResultsReader& file, const std::string& path,
                const std::vector<ResultsTable>& tables);

}  // namespace larmor::cli
