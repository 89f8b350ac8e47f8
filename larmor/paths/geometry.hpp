#pragma once
// The geometry of a path of images: lengths, tangents and folds. They are computed from inner
// products of vectors between neighbouring images. The energies choose the uphill side of a
// tangent.

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "larmor/core/types.hpp"

namespace larmor::paths {

/// The images of a path: energies, distances and tangents. [images]
struct NebPath {
  std::vector<double> energy;
  std::vector<double> to_next;  ///< distance to the next image; 0 for the last one
  std::vector<double> slope;    ///< dE/d(coordinate) along the tangent
  /// Coefficients of the vectors to the next and to the previous image in the unit tangent.
  std::vector<double> tangent_ahead, tangent_behind;
  std::vector<bool> is_folded;  ///< does the path turn back at the image?
  std::size_t climbing = 0;     ///< the climbing image; 0 if none climbs yet

  explicit NebPath(std::size_t images);
  std::size_t images() const { return energy.size(); }
  bool is_end(std::size_t image) const { return image == 0 || image + 1 == images(); }
  double length() const { return std::accumulate(to_next.begin(), to_next.end(), 0.0); }
  /// Distance along the path from the first image. [images]
  std::vector<double> coordinates() const;
  /// The image of the highest energy.
  std::size_t highest() const;
  double height() const { return energy[highest()]; }
  double higher_end() const { return std::max(energy.front(), energy.back()); }
};

/// Inner products of an image. The vector a points to the next image, b to the previous image, and
/// g is the gradient.
struct NeighbourProducts {
  double ahead_square, behind_square;      ///< a.a, b.b
  double ahead_behind;                     ///< a.b
  double gradient_ahead, gradient_behind;  ///< g.a, g.b
};

/// The image in the deepest minimum between the ends of a path, if there is one. A minimum counts
/// if it is deeper than a hundredth of the barrier from the higher end. @param energy [images]
std::optional<Index> minimum_between_ends(const std::vector<double>& energy);

/// Sets tangent, slope and fold of an image from the energies and distances of the path.
void set_tangent(NebPath& path, std::size_t image, const NeighbourProducts& products);

}  // namespace larmor::paths
