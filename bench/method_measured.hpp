#pragma once
// Result of a benchmark for one of several methods that compute equal numbers.

#include <string>
#include <utility>
#include <vector>

namespace larmor::bench {

struct MethodMeasured {
  std::string name;
  double seconds = 0;
  double error = 0;                                   ///< relative to exact numbers
  std::vector<std::pair<std::string, double>> parts;  ///< name and seconds of each part, in order
};

}  // namespace larmor::bench
