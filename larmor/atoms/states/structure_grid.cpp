#include "larmor/atoms/states/structure_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/atoms/cell/shortest_image.hpp"

namespace larmor::atoms {
namespace {

constexpr double cell = 0.2;  // Angstrom
constexpr Index parts = 48;
constexpr int most_iterations = 100;
constexpr double smallest_change = 1e-11;  // Angstrom

/// Number of an atom in the sorted list, and its place.
struct Place {
  Index type;
  std::array<Index, 3> cell;
  friend auto operator<=>(const Place&, const Place&) = default;
};

}  // namespace

StructureGrid::StructureGrid(const Box& box, std::vector<std::int32_t> types,
                             std::vector<Vec3<double>> first)
    : box_(box), types_(std::move(types)), first_(std::move(first)) {
  for (std::size_t d = 0; d < 3; ++d) {
    const double side = length(box_.vectors[d]);
    cells_[d] = parts * static_cast<Index>(std::ceil(side / (cell * parts)));
  }
  // A single atom has its images as neighbours.
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t d = 0; d < 3; ++d) least = std::min(least, box_.height(d));
  for (std::size_t i = 0; i < first_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      least = std::min(least, length(shortest_image(box_, first_[i] - first_[j])));
  cutoff_ = least / 2;
}

Vec3<double> StructureGrid::from_nearest(const Vec3<double>& position) const {
  Vec3<double> nearest{};
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& first : first_) {
    const Vec3<double> displacement = rounded_image(box_, position - first);
    const double squared = dot(displacement, displacement);
    if (squared >= least) continue;
    least = squared;
    nearest = displacement;
  }
  return nearest;
}

Vec3<double> StructureGrid::drift_of(std::span<const Vec3<double>> positions) const {
  Vec3<double> drift{};
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    Vec3<double> sum{};
    double weights = 0;
    for (const Vec3<double>& position : positions) {
      const Vec3<double> d = from_nearest(position - drift);
      const double share = dot(d, d) / (cutoff_ * cutoff_);
      if (share >= 1) continue;
      sum += (1 - share) * (1 - share) * d;
      weights += (1 - share) * (1 - share);
    }
    if (weights == 0) return {};
    const Vec3<double> change = 1 / weights * sum;
    drift += change;
    if (length(change) < smallest_change) break;
  }
  return drift;
}

std::vector<Index> StructureGrid::numbers_of(std::span<const Vec3<double>> positions) const {
  const Vec3<double> drift = drift_of(positions);
  std::vector<Place> places;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::array<double, 3> f = box_.fractional(positions[i] - drift);
    Place place{types_[i], {}};
    for (std::size_t d = 0; d < 3; ++d) {
      const auto count = static_cast<double>(cells_[d]);
      const auto number = static_cast<Index>(std::llround((f[d] - std::floor(f[d])) * count));
      place.cell[d] = number % cells_[d];
    }
    places.push_back(place);
  }
  std::ranges::sort(places);
  std::vector<Index> numbers;
  for (const Place& place : places)
    numbers.insert(numbers.end(), {place.type, place.cell[0], place.cell[1], place.cell[2]});
  return numbers;
}

std::vector<Vec3<double>> StructureGrid::positions_of(std::span<const Index> numbers) const {
  std::vector<Vec3<double>> positions(types_.size());
  // The list is sorted by type, so each atom takes the next place of its type.
  std::size_t at = 0;
  const std::int32_t types = *std::ranges::max_element(types_) + 1;
  for (std::int32_t type = 0; type < types; ++type)
    for (std::size_t i = 0; i < types_.size(); ++i) {
      if (types_[i] != type) continue;
      Vec3<double> position{};
      for (std::size_t d = 0; d < 3; ++d)
        position += static_cast<double>(numbers[at + 1 + d]) / static_cast<double>(cells_[d]) *
                    box_.vectors[d];
      positions[i] = position;
      at += 4;
    }
  return positions;
}

bool StructureGrid::is_near(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b,
                            double distance) const {
  Vec3<double> mean{};
  for (std::size_t i = 0; i < a.size(); ++i) mean += rounded_image(box_, a[i] - b[i]);
  mean = 1 / static_cast<double>(a.size()) * mean;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(length(rounded_image(box_, a[i] - b[i]) - mean) < distance)) return false;
  return true;
}

}  // namespace larmor::atoms
