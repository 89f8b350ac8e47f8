#pragma once
// What the points of a scan ended with: for every average of every stage a grid of the scan's
// shape, so that M(H, T) can be drawn from one dataset.

#include <map>
#include <string>
#include <vector>

#include "larmor/io/results.hpp"

namespace larmor::study {

class ScanSummary {
 public:
  /// @param shape values of each [[scan]] table; the last varies fastest from point to point
  explicit ScanSummary(std::vector<Index> shape) : shape_(std::move(shape)) {}

  /// Takes the last value of every average of a point.
  void add(Index point, const io::ResultsReader& results);
  /// /scan/summary/STAGE/NAME/{value, error} (shape), NaN where there is none yet.
  void write(io::ResultsFile& results) const;

 private:
  struct Column {
    std::vector<double> value, error;  ///< [points]
    std::string unit;
  };
  Column& column(const std::string& name);

  std::vector<Index> shape_;
  std::map<std::string, Column> columns_;  ///< by "01-monte-carlo/energy"
};

}  // namespace larmor::study
