#include "larmor/paths/geometry.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::paths {
namespace {

// Cosines of the turn of a path at an image.
/// Above this cosine (18 degrees) a path is smooth, and slopes on both sides of the image agree.
constexpr double smooth_cosine = 0.95;
/// A path is folded below this cosine. A right angle is not a fold: parts of a system may move one
/// after another.
constexpr double fold_cosine = -0.2;
/// A minimum between the ends counts if it is deeper than this share of the barrier.
constexpr double deep_minimum = 0.01;

}  // namespace

NebPath::NebPath(std::size_t images) : is_folded(images) {
  for (auto* numbers : {&energy, &to_next, &slope, &tangent_ahead, &tangent_behind})
    numbers->resize(images);
}

std::vector<double> NebPath::coordinates() const {
  std::vector<double> reached{0};
  for (std::size_t i = 0; i + 1 < images(); ++i) reached.push_back(reached[i] + to_next[i]);
  return reached;
}

std::size_t NebPath::highest() const {
  return static_cast<std::size_t>(std::max_element(energy.begin(), energy.end()) - energy.begin());
}

std::optional<Index> minimum_between_ends(const std::vector<double>& energy) {
  const double top = *std::max_element(energy.begin(), energy.end());
  std::optional<Index> deepest;
  double depth = deep_minimum * (top - std::max(energy.front(), energy.back()));
  for (std::size_t i = 1; i + 1 < energy.size(); ++i) {
    const auto here = energy.begin() + static_cast<std::ptrdiff_t>(i);
    const double higher_on_both_sides = std::min(*std::max_element(energy.begin(), here),
                                                 *std::max_element(here + 1, energy.end()));
    if (higher_on_both_sides - *here <= depth) continue;
    depth = higher_on_both_sides - *here;
    deepest = static_cast<Index>(i);
  }
  return deepest;
}

void set_tangent(NebPath& path, std::size_t i, const NeighbourProducts& products) {
  const bool first = i == 0, last = i + 1 == path.images();
  const double up = last ? 0 : path.energy[i + 1] - path.energy[i];
  const double down = first ? 0 : path.energy[i] - path.energy[i - 1];
  const bool extremal = up * down < 0;
  const double cosine =
      -products.ahead_behind / (first || last ? 1 : path.to_next[i] * path.to_next[i - 1]);
  path.is_folded[i] = !first && !last && cosine < fold_cosine;
  // The tangent points uphill: to the higher neighbour, or at an extremum of a smooth path to the
  // side where the slope goes uphill. A tangent towards the lower neighbour would drive the image
  // away from this neighbour across the path, without limit in soft systems. If the path still has
  // kinks, slopes are unreliable. In this case both neighbours contribute at an extremum, weighted
  // by their height. The climbing image always uses these weights at an extremum, because its slope
  // changes sign at the saddle.
  const bool by_slope = extremal && i != path.climbing && cosine > smooth_cosine;
  const double rise = by_slope ? products.gradient_ahead / path.to_next[i] -
                                     products.gradient_behind / path.to_next[i - 1]
                               : up + down;
  double ahead = first || (!last && rise > 0) ? 1 : 0;
  double behind = last || (!first && rise < 0) ? 1 : 0;
  if (extremal && !by_slope) {
    const double larger = std::max(std::abs(up), std::abs(down));
    const double smaller = std::min(std::abs(up), std::abs(down));
    ahead = rise > 0 ? larger : smaller;
    behind = rise > 0 ? smaller : larger;
  }
  if (ahead + behind == 0) ahead = behind = 1;
  const double square = ahead * ahead * products.ahead_square -
                        2 * ahead * behind * products.ahead_behind +
                        behind * behind * products.behind_square;
  const double size = square > 0 ? std::sqrt(square) : 0;
  path.tangent_ahead[i] = size > 0 ? ahead / size : 0;
  path.tangent_behind[i] = size > 0 ? -behind / size : 0;
  path.slope[i] = path.tangent_ahead[i] * products.gradient_ahead +
                  path.tangent_behind[i] * products.gradient_behind;
}

}  // namespace larmor::paths
