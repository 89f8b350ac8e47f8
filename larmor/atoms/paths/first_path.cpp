#include "larmor/atoms/paths/first_path.hpp"

#include <algorithm>
#include <cmath>

namespace larmor::atoms {
namespace {

/// The shortest of the vectors that differ by box vectors from `r`. In a skewed box the shortest
/// one is next to the rounded one.
Vec3<double> shortest_image(const Box& box, const Vec3<double>& r) {
  const std::array<double, 3> f = box.fractional(r);
  Vec3<double> rounded = r;
  for (std::size_t d = 0; d < 3; ++d)
    if (box.periodic[d]) rounded += -std::round(f[d]) * box.vectors[d];
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

double distance(const Positions& a, const Positions& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += dot(b[i] - a[i], b[i] - a[i]);
  return std::sqrt(square);
}

}  // namespace

Positions nearest_image(const Box& box, const Positions& from, const Positions& to) {
  Positions ways;
  Vec3<double> mean{};
  for (std::size_t i = 0; i < from.size(); ++i) {
    ways.push_back(shortest_image(box, to[i] - from[i]));
    mean += (1 / static_cast<double>(from.size())) * ways.back();
  }
  Positions image;
  for (std::size_t i = 0; i < from.size(); ++i) image.push_back(from[i] + (ways[i] - mean));
  return image;
}

double largest_displacement(const Positions& a, const Positions& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, length(b[i] - a[i]));
  return largest;
}

std::vector<Positions> straight_path(const std::vector<Positions>& stops, std::size_t images) {
  std::vector<double> reached{0};
  for (std::size_t n = 1; n < stops.size(); ++n)
    reached.push_back(reached.back() + distance(stops[n - 1], stops[n]));
  std::vector<Positions> path;
  std::size_t leg = 1;
  for (std::size_t image = 0; image + 1 < images; ++image) {
    const double at = reached.back() * static_cast<double>(image) / static_cast<double>(images - 1);
    while (leg + 1 < stops.size() && at > reached[leg]) ++leg;
    const double length_of_leg = reached[leg] - reached[leg - 1];
    const double share = length_of_leg > 0 ? (at - reached[leg - 1]) / length_of_leg : 0;
    Positions& positions = path.emplace_back();
    for (std::size_t i = 0; i < stops[leg].size(); ++i)
      positions.push_back(stops[leg - 1][i] + share * (stops[leg][i] - stops[leg - 1][i]));
  }
  path.push_back(stops.back());
  return path;
}

}  // namespace larmor::atoms
