#include "larmor/spins/landscape/neb_springs.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/spins/landscape/landscape_kernels.hpp"
#include "larmor/spins/landscape/neb_policy.hpp"

namespace larmor::spins {

std::vector<double> spring_displacements(const NebPath& path, double ratio) {
  const std::vector<double>& energy = path.energy;
  const std::vector<double>& to_next = path.to_next;
  // Stiffness is 1 up to the energy of the higher end, then increases to `ratio` at the top.
  const double bottom = path.higher_end(), top = path.height(), range = top - bottom;
  const double stiffening = range > 0 ? (ratio - 1) / range : 0;
  std::vector<double> stiffness;
  for (std::size_t i = 0; i + 1 < path.images(); ++i) {
    const double above = std::max(energy[i], energy[i + 1]) - bottom;
    stiffness.push_back(1 + stiffening * std::max(0.0, above));
  }
  std::vector<double> displacement(path.images());
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    if (i == path.climbing) continue;
    const double pull = stiffness[i] * to_next[i] - stiffness[i - 1] * to_next[i - 1];
    double change = stiffness[i] + stiffness[i - 1];
    // The stiffness of the spring to a lower neighbour depends on the energy of this image. If the
    // image goes down, this spring softens. The springs of the highest image are always the
    // stiffest.
    if (energy[i] > bottom && energy[i] < top) {
      const double softens = stiffening * path.slope[i];
      if (energy[i] > energy[i + 1]) change += std::max(0.0, -softens * to_next[i]);
      if (energy[i] > energy[i - 1]) change += std::max(0.0, softens * to_next[i - 1]);
    }
    displacement[i] = pull / change;
  }
  return displacement;
}

bool springs_balance(const NebPath& path, double ratio) {
  const std::vector<double> displacement = spring_displacements(path, ratio);
  for (std::size_t i = 1; i + 1 < path.images(); ++i) {
    const double nearest = std::min(path.to_next[i - 1], path.to_next[i]);
    if (std::abs(displacement[i]) > neb::balance_tolerance * nearest) return false;
  }
  return true;
}

std::vector<double> reparametrisation(const NebPath& path, double ratio, bool unfolds,
                                      std::size_t padded) {
  std::vector<double> numbers(shift_numbers * padded);
  const std::vector<double> displacement = spring_displacements(path, ratio);
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
