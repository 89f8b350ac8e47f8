#pragma once
// Writes the group of one stage in the results file.

#include <string>
#include <vector>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/io/results/results_file.hpp"

namespace larmor::study {

class ResultsGroup {
 public:
  /// @param file null on ranks other than the root: nothing is written
  ResultsGroup(io::ResultsFile* file, std::string path) : file_(file), path_(std::move(path)) {}

  /// Writes a whole dataset. @param unit empty: none
  void write(const std::string& name, std::vector<double> values, const std::vector<Index>& shape,
             const std::string& unit);
  /// Appends rows of shape `row` to a dataset that grows along its first axis.
  void append(const std::string& name, std::vector<double> values, const std::vector<Index>& row,
              const std::string& unit);
  /// Writes the values in their own type.
  void write(const std::string& name, io::DataArray values);
  /// Appends one row. @param row without the axis along which the dataset grows
  void append(const std::string& name, io::DataArray row);
  void write_strings(const std::string& name, const std::vector<std::string>& values);
  /// Sets an attribute of a dataset or subgroup; "" is the stage's own group.
  void set_attribute(const std::string& name, const std::string& attribute, io::DataArray value);
  /// Makes dataset `scale` the scale of an axis of dataset `name`.
  void attach_scale(const std::string& name, Index axis, const std::string& scale);
  /// The rows of a growing dataset, including those not yet on disk.
  Index rows(const std::string& name) const;
  /// Appended rows as they are on disk. Rows not yet on disk are written first.
  std::vector<double> read_rows(const std::string& name, Index first, Index count) const;

 private:
  std::string full(const std::string& name) const;

  io::ResultsFile* file_;
  std::string path_;
};

/// averages/NAME/{value, error, autocorrelation_time, samples}
void append_estimate(ResultsGroup& results, const std::string& name, const Estimate& estimate,
                     const std::string& unit);

}  // namespace larmor::study
