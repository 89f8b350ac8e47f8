// Structures of atoms as whole numbers, which tell states apart.
// Rooms: atoms

#include "larmor/atoms/states/structure_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace larmor::atoms_tests {

using atoms::Box;
using atoms::StructureGrid;
using Positions = std::vector<Vec3<double>>;

constexpr Index cells = 3;
constexpr double constant = 3.17;

/// A bcc crystal without one site, in a box that is not a cube.
struct Vacancy {
  Box box{{{{cells * constant, 0, 0}, {0.4, cells* constant, 0}, {0, -0.3, cells* constant}}}};
  Positions sites;

  Vacancy() {
    for (Index n = 0; n < 2 * cells * cells * cells; ++n) {
      const double middle = n % 2 == 0 ? 0 : 0.5;
      const Index c = n / 2;
      const std::array<double, 3> f{static_cast<double>(c % cells) + middle,
                                    static_cast<double>(c / cells % cells) + middle,
                                    static_cast<double>(c / cells / cells) + middle};
      Vec3<double> site{};
      for (std::size_t d = 0; d < 3; ++d)
        site += f[d] / static_cast<double>(cells) * box.vectors[d];
      sites.push_back(site);
    }
  }
  /// All sites except one, whose neighbours come nearer by some hundredths of an Angstrom.
  Positions without(std::size_t vacant) const {
    Positions positions;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (i == vacant) continue;
      Vec3<double> away = sites[i] - sites[vacant];
      const std::array<double, 3> f = box.fractional(away);
      for (std::size_t d = 0; d < 3; ++d) away += -std::round(f[d]) * box.vectors[d];
      positions.push_back(sites[i] - 0.6 / std::pow(dot(away, away), 1.5) * away);
    }
    return positions;
  }
  /// Types 0 and 1 for every third atom.
  std::vector<std::int32_t> types() const {
    std::vector<std::int32_t> types(sites.size() - 1);
    for (std::size_t i = 0; i < types.size(); ++i) types[i] = i % 3 == 0 ? 1 : 0;
    return types;
  }
  StructureGrid grid(const std::vector<std::int32_t>& of_types) const {
    return {box, of_types, without(0)};
  }
};

TEST(StructureGrid, IgnoresExchangesOfEqualAtomsAndDrift) {
  const Vacancy vacancy;
  const StructureGrid grid = vacancy.grid(vacancy.types());
  const Positions before = vacancy.without(0);
  Positions after = before;
  std::swap(after[1], after[5]);  // both of type 0
  after[7] += vacancy.box.vectors[1];
  for (Vec3<double>& position : after) position += Vec3<double>{0.31, -0.24, 0.17};
  EXPECT_EQ(grid.numbers_of(before), grid.numbers_of(after));
  const Vec3<double> drift = grid.drift_of(after);
  EXPECT_NEAR(drift.x, 0.31, 1e-9);
  EXPECT_NEAR(drift.y, -0.24, 1e-9);
  EXPECT_NEAR(drift.z, 0.17, 1e-9);
}

TEST(StructureGrid, TellsExchangesOfUnequalAtomsApart) {
  const Vacancy vacancy;
  const StructureGrid grid = vacancy.grid(vacancy.types());
  Positions after = vacancy.without(0);
  std::swap(after[0], after[1]);  // of types 1 and 0
  EXPECT_NE(grid.numbers_of(vacancy.without(0)), grid.numbers_of(after));
}

TEST(StructureGrid, TellsVacanciesAtAllSitesApart) {
  const Vacancy vacancy;
  const StructureGrid grid = vacancy.grid(std::vector<std::int32_t>(vacancy.sites.size() - 1, 0));
  std::vector<std::vector<Index>> all;
  for (std::size_t site = 0; site < vacancy.sites.size(); ++site) {
    Positions positions = vacancy.without(site);
    // The drift that atoms with a resting centre of mass have after a hop.
    for (Vec3<double>& position : positions)
      position += 1.0 / static_cast<double>(positions.size()) * vacancy.sites[site];
    all.push_back(grid.numbers_of(positions));
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
}

TEST(StructureGrid, GivesPositionsWithItsNumbers) {
  const Vacancy vacancy;
  const StructureGrid grid = vacancy.grid(vacancy.types());
  const Positions before = vacancy.without(0);
  const std::vector<Index> numbers = grid.numbers_of(before);
  const Positions middles = grid.positions_of(numbers);
  EXPECT_EQ(grid.numbers_of(middles), numbers);
  // The middle of a cell is at most half of its diagonal away.
  for (const Vec3<double>& position : before) {
    double least = 1;
    for (const Vec3<double>& middle : middles) {
      Vec3<double> away = position - middle;
      const std::array<double, 3> f = vacancy.box.fractional(away);
      for (std::size_t d = 0; d < 3; ++d) away += -std::round(f[d]) * vacancy.box.vectors[d];
      least = std::min(least, length(away));
    }
    EXPECT_LT(least, 0.18);
  }
}

TEST(StructureGrid, FindsAtomsThatMovedFar) {
  const Vacancy vacancy;
  const StructureGrid grid = vacancy.grid(vacancy.types());
  const Positions before = vacancy.without(0);
  Positions after = before;
  for (Vec3<double>& position : after) position += Vec3<double>{5, -3, 2};
  EXPECT_TRUE(grid.is_near(before, after, 1e-6));
  after[3] += Vec3<double>{0.15, 0, 0};
  EXPECT_TRUE(grid.is_near(before, after, 0.2));
  after[3] += Vec3<double>{0.15, 0, 0};
  EXPECT_FALSE(grid.is_near(before, after, 0.2));
}

}  // namespace larmor::atoms_tests
