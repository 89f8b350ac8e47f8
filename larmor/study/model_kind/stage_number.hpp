#pragma once
// What a stage found as one number in all, beside its averages: a barrier, a gap.

#include <string>
#include <vector>

#include "larmor/io/results/results_reader.hpp"

namespace larmor::study {

struct StageNumber {
  std::string name, unit;
  double value, error;  ///< NaN: not known
};

/// Those of the stage at `path` of the results; none for kinds of stage that have none.
std::vector<StageNumber> stage_numbers(const io::ResultsReader& results, const std::string& path);

}  // namespace larmor::study
