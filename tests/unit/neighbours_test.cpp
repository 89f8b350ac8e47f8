// Rooms: atoms
#include "larmor/atoms/neighbours/neighbours.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "larmor/atoms/neighbours/pair_gradients.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {
namespace {

/// Finds pairs by a trial of every image of every atom.
std::vector<double> distances_of(std::size_t i, const Box& box,
                                 const std::vector<Vec3<double>>& positions, double cutoff,
                                 int images) {
  std::vector<double> distances;
  const auto reach = [&](std::size_t d) { return box.periodic[d] ? images : 0; };
  for (const Vec3<double>& other : positions)
    for (int x = -reach(0); x <= reach(0); ++x)
      for (int y = -reach(1); y <= reach(1); ++y)
        for (int z = -reach(2); z <= reach(2); ++z) {
          const Vec3<double> r = other - positions[i] + double(x) * box.vectors[0] +
                                 double(y) * box.vectors[1] + double(z) * box.vectors[2];
          const double distance = length(r);
          if (distance > 0 && distance < cutoff) distances.push_back(distance);
        }
  std::sort(distances.begin(), distances.end());
  return distances;
}

std::vector<Vec3<double>> random_positions(int count, double size) {
  std::mt19937 random(3);
  // Some atoms lie outside the box.
  std::uniform_real_distribution<double> uniform(-size, 2 * size);
  std::vector<Vec3<double>> positions(static_cast<std::size_t>(count));
  for (Vec3<double>& r : positions) r = {uniform(random), uniform(random), uniform(random)};
  return positions;
}

void expect_all_pairs(const Box& box, const std::vector<Vec3<double>>& positions, double cutoff,
                      int images) {
  const NeighbourRows rows = find_neighbours(box, positions, cutoff);
  ASSERT_EQ(rows.atoms(), static_cast<Index>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::vector<double> found;
    for (Index n = rows.first[i]; n < rows.first[i + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      found.push_back(length(rows.displacement[entry]));
      const auto mirror = static_cast<std::size_t>(rows.mirror[entry]);
      ASSERT_EQ(static_cast<std::size_t>(rows.neighbour[mirror]), i);
      ASSERT_EQ(rows.displacement[mirror], -rows.displacement[entry]);
      ASSERT_EQ(rows.mirror[mirror], n);
    }
    std::sort(found.begin(), found.end());
    const std::vector<double> expected = distances_of(i, box, positions, cutoff, images);
    ASSERT_EQ(found.size(), expected.size()) << "atom " << i;
    for (std::size_t n = 0; n < found.size(); ++n) ASSERT_NEAR(found[n], expected[n], 1e-12);
  }
}

const Box skewed{{{{9, 0.5, -1}, {2, 8, 0.3}, {-1, 1.5, 10}}}};
const Box flat{{{{3, 0, 0}, {1.4, 2.5, 0}, {0.2, 0.3, 12}}}};

TEST(Neighbours, OfALargeSkewedBox) { expect_all_pairs(skewed, random_positions(60, 9), 2.6, 4); }

TEST(Neighbours, OfABoxSmallerThanTheCutoff) {
  expect_all_pairs(flat, random_positions(3, 3), 5, 7);
}

TEST(Neighbours, OfOneAtomAreItsImages) {
  const NeighbourRows rows = find_neighbours({{{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}}}},
                                             std::vector<Vec3<double>>{{0.3, 7, -5}}, 2.9);
  EXPECT_EQ(rows.entries(), 18);
}

TEST(Neighbours, OpenDirectionsHaveNoImages) {
  for (const std::array<bool, 3>& periodic :
       {std::array{false, true, true}, {true, false, false}, {false, false, false}}) {
    Box box = skewed;
    box.periodic = periodic;
    expect_all_pairs(box, random_positions(50, 9), 4, 5);
  }
}

TEST(Neighbours, RowsAreInTheOrderOfAtomsAndImages) {
  const NeighbourRows rows = find_neighbours(flat, random_positions(5, 3), 6);
  for (std::size_t i = 0; i < 5; ++i)
    for (auto n = static_cast<std::size_t>(rows.first[i]) + 1;
         n < static_cast<std::size_t>(rows.first[i + 1]); ++n)
      ASSERT_TRUE(std::pair(rows.neighbour[n - 1], rows.image[n - 1]) <
                  std::pair(rows.neighbour[n], rows.image[n]));
}

TEST(Neighbours, TwoAtomsOnOnePlaceAreRefused) {
  std::vector<Vec3<double>> positions = random_positions(4, 9);
  positions[3] = positions[1] + skewed.vectors[2];
  EXPECT_THROW(find_neighbours(skewed, positions, 3), InputError);
}

TEST(Neighbours, AFlatBoxIsRefused) {
  EXPECT_THROW(find_neighbours({{{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}}}, random_positions(2, 1), 1),
               InputError);
}

TEST(Neighbours, ABoxFarSmallerThanTheCutoffIsRefused) {
  EXPECT_THROW(find_neighbours({{{{1, 0, 0}, {0, 1, 0}, {0, 0, 0.01}}}}, random_positions(1, 1), 2),
               InputError);
}

TEST(Neighbours, LostAtomsAreRefused) {
  std::vector<Vec3<double>> positions = random_positions(2, 1);
  positions[1].y = std::nan("");
  EXPECT_THROW(find_neighbours(skewed, positions, 1), UnphysicalError);
}

TEST(Neighbours, AtomsTooManyBoxesAwayAreRefused) {
  std::vector<Vec3<double>> positions = random_positions(2, 1);
  positions[1] += 2e6 * skewed.vectors[0];
  EXPECT_THROW(find_neighbours(skewed, positions, 1), InputError);
}

TEST(PairGradients, ForcesOfAPairAreOpposite) {
  const Box open{{{{9, 0, 0}, {0, 9, 0}, {0, 0, 9}}}, {false, false, false}};
  const std::vector<Vec3<double>> positions{{1, 1, 1}, {2, 3, 4}};
  const NeighbourRows rows = find_neighbours(open, positions, 6);
  const std::vector<Vec3<double>> gradient{{0.5, 0, 1}, {0.25, 2, 0}};
  const std::vector<Vec3<double>> F = forces(rows, gradient);
  EXPECT_EQ(F[0], (Vec3<double>{0.25, -2, 1}));
  EXPECT_EQ(F[1], -F[0]);
  const std::vector<SymmetricTensor> W = virials(rows, gradient);
  EXPECT_EQ(W[0], W[1]);
  EXPECT_EQ(total(W), (SymmetricTensor{-0.25, 4, -3, 2, -1, -2}));
}

}  // namespace
}  // namespace larmor::atoms
