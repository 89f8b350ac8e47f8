#pragma once
// The shortest vector between periodic images.

#include <cmath>

#include "larmor/atoms/cell/box.hpp"

namespace larmor::atoms {

/// The image of `r` whose fractional coordinates are at most 1/2. It is the shortest one in a
/// rectangular box, and in any box if `r` is short.
inline Vec3<double> rounded_image(const Box& box, const Vec3<double>& r) {
  const std::array<double, 3> f = box.fractional(r);
  Vec3<double> rounded = r;
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d]) rounded += -std::round(f[d]) * box.vectors[d];
  return rounded;
}

/// The shortest of the vectors that differ by box vectors from `r`. In a skewed box the shortest
/// one is next to the rounded one.
inline Vec3<double> shortest_image(const Box& box, const Vec3<double>& r) {
  const Vec3<double> rounded = rounded_image(box, r);
  Vec3<double> shortest = rounded;
  const auto range = [&](std::size_t d) { return box.periodic[d] ? 1 : 0; };
  for (int x = -range(0); x <= range(0); ++x)
    for (int y = -range(1); y <= range(1); ++y)
      for (int z = -range(2); z <= range(2); ++z) {
        const Vec3<double> image =
            rounded + (x * box.vectors[0] + y * box.vectors[1] + z * box.vectors[2]);
        if (dot(image, image) < dot(shortest, shortest)) shortest = image;
      }
  return shortest;
}

}  // namespace larmor::atoms
