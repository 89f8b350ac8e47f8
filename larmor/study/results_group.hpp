#pragma once
// One stage's place in the results file.

#include <string>
#include <vector>

#include "larmor/core/statistics.hpp"
#include "larmor/io/results.hpp"

namespace larmor::study {

class ResultsGroup {
 public:
  ResultsGroup(io::ResultsFile& file, std::string path) : file_(&file), path_(std::move(path)) {}

  /// A whole dataset. @param unit empty: none
  void write(const std::string& name, const std::vector<double>& values,
             const std::vector<Index>& shape, const std::string& unit);
  /// Rows of shape `row` at the end of a dataset that grows along its first axis.
  void append(const std::string& name, const std::vector<double>& values,
              const std::vector<Index>& row, const std::string& unit);
  void write_strings(const std::string& name, const std::vector<std::string>& values);
  void attribute(const std::string& name, const std::string& attribute, const std::string& value);

 private:
  io::ResultsFile* file_;
  std::string path_;
};

/// averages/NAME/{value, error, autocorrelation_time, samples}
void append_estimate(ResultsGroup& results, const std::string& name, const Estimate& estimate,
                     const std::string& unit);

}  // namespace larmor::study
