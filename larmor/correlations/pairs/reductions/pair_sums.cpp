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

}  // namespace larmor::correlations::real_space
