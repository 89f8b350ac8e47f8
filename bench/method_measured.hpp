#pragma once
// What a benchmark has measured of one method among several that compute the same.

#include <string>
#include <utility>
#include <vector>

namespace larmor::bench {

struct MethodMeasured {
  std::string name;
  double seconds = 0;
  double error = 0;                                   ///< against what is exact
  std::vector<std::pair<std::string, double>> parts;  ///< seconds of each, in their order
};

}  // namespace larmor::bench
