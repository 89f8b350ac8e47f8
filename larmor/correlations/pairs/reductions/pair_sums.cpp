#include "larmor/correlations/pairs/reductions/pair_sums.hpp"

#include <limits>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::correlations::real_space {

void check(const PairSettings& settings) {
  constexpr Index most = std::numeric_limits<std::int32_t>::max();
  if (settings.sites < 0 || settings.sites > most)
    throw InputError("sums over pairs of sites cannot have " + std::to_string(settings.sites) +
                     " sites");
  if (settings.numbers < 1 || settings.numbers > most)
    throw InputError("sums over pairs of sites need numbers at each site, K = 1 or more, not " +
                     std::to_string(settings.numbers));
}

PairPrecision pair_precision_by_name(std::string_view name) {
  for (const auto precision :
       {PairPrecision::full, PairPrecision::tf32x3, PairPrecision::half_split})
    if (name == name_of(precision)) return precision;
  throw InputError("no precision is called \"" + std::string(name) + "\"",
                   "use double, tf32x3 or half-split");
}

const char* name_of(PairPrecision precision) {
  switch (precision) {
    case PairPrecision::full:
      return "double";
    case PairPrecision::tf32x3:
      return "tf32x3";
    case PairPrecision::half_split:
      return "half-split";
  }
  throw InternalError("unknown precision of a pair sum");
}

}  // namespace larmor::correlations::real_space
