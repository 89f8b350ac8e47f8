#include "bench/choice.hpp"

#include <algorithm>

#include "larmor/core/error.hpp"

namespace larmor::bench {

bool BenchChoice::wants(const std::string& system) {
  if (std::ranges::find(offered_, system) == offered_.end()) offered_.push_back(system);
  const bool wanted = system.find(only_) != std::string::npos;
  any_ = any_ || wanted;
  return wanted;
}

void BenchChoice::require_one() const {
  if (any_ || offered_.empty()) return;
  std::string names;
  for (const std::string& system : offered_) names += (names.empty() ? "" : ", ") + system;
  throw InputError("no system of this benchmark has '" + only_ + "' in its name",
                   "--only takes a substring of one of: " + names);
}

}  // namespace larmor::bench
