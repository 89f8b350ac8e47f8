#pragma once
// A single number that a stage found in addition to its averages: a barrier, a gap.

#include <string>
#include <vector>

#include "larmor/io/results/results_reader.hpp"

namespace larmor::study {

struct StageNumber {
  std::string name, unit;
  double value, error;  ///< NaN if unknown
};

/// The numbers of the stage at `path` of the results; empty for kinds of stage without any.
std::vector<StageNumber> stage_numbers(const io::ResultsReader& results, const std::string& path);

}  // namespace larmor::study
