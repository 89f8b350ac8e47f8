#include "larmor/spins/landscape/neb_springs.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/spins/landscape/landscape_kernels.hpp"
#include "larmor/spins/landscape/neb_policy.hpp"

namespace larmor::spins {

std::vector<double> reparametrisation(const paths::NebPath& path, double ratio, bool unfolds,
                                      std::size_t padded) {
  std::vector<double> numbers(shift_numbers * padded);
  const std::vector<double> displacement = paths::spring_displacements(path, ratio);
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    const double gap = displacement[i] > 0 ? path.to_next[i] : path.to_next[i - 1];
    const double most = neb::max_shift_of_gap * gap;
    const double shift = std::clamp(neb::balance_damping * displacement[i], -most, most);
    // The sum of the ways to both neighbours is twice the way to their midpoint.
    const bool to_midpoint = unfolds && path.is_folded[i] && i != path.climbing;
    const double to_both = to_midpoint ? neb::unfolding_fraction / 2 : 0;
    numbers[shift_ahead * padded + i] = shift * path.tangent_ahead[i] + to_both;
    numbers[shift_behind * padded + i] = shift * path.tangent_behind[i] + to_both;
  }
  return numbers;
}

}  // namespace larmor::spins
