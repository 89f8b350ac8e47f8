// The positions that ranks of a shared lattice send to each other.
// Rooms: spins

#include "larmor/spins/domains/halo.hpp"

#include <gtest/gtest.h>

#include <random>

namespace larmor::spins {
namespace {

using PositionList = std::vector<std::int32_t>;

TEST(Halo, AmongSomeSitesHasThoseAlone) {
  Halo halo(3);
  halo.out[1] = {1, 4, 5, 9, 12};
  halo.in[2] = {20, 21, 30};
  const std::vector<SiteRange> sites{{0, 2}, {5, 6}, {6, 12}, {21, 31}};
  const Halo some = halo.among(sites);
  EXPECT_EQ(some.out[1], (PositionList{1, 5, 9}));
  EXPECT_EQ(some.in[2], (PositionList{21, 30}));
  EXPECT_EQ(some.received(), 2);
  EXPECT_TRUE(some.out[0].empty() && some.out[2].empty() && some.in[0].empty());
  EXPECT_EQ(halo.among({}).received(), 0);
}

/// The positions that each of three ranks owns: ranges of unequal lengths, 35 positions in all.
const RangesOfRanks owned{{{0, 7}, {12, 13}, {20, 28}}, {{7, 12}, {28, 30}}, {{13, 20}, {30, 35}}};

std::size_t owner_of(Index position) {
  for (std::size_t rank = 0; rank < owned.size(); ++rank)
    for (const SiteRange& range : owned[rank])
      if (position >= range.first && position < range.last) return rank;
  throw std::logic_error("nobody owns a position");
}

TEST(Halo, OfBlocksIsWhatTheOwnersOfTheirFirstPositionsLack) {
  for (const Index block_sites : {1, 2, 5, 8, 16, 64}) {
    std::vector<PositionsOfRanks> sent(3, PositionsOfRanks(3));  // by owner and reader
    for (Index position = 0; position < 35; ++position) {
      const std::size_t owner = owner_of(position);
      const std::size_t reader = owner_of(position / block_sites * block_sites);
      if (owner != reader) sent[owner][reader].push_back(static_cast<std::int32_t>(position));
    }
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const Halo halo = halo_of_blocks(owned, static_cast<int>(rank), block_sites);
      EXPECT_EQ(halo.out, sent[rank]) << block_sites;
      for (std::size_t other = 0; other < 3; ++other)
        EXPECT_EQ(halo.in[other], sent[other][rank]) << block_sites;
    }
  }
}

std::vector<bool> marks_of(const std::vector<SiteRange>& ranges, std::size_t positions) {
  std::vector<bool> marks(positions);
  for (const SiteRange& range : ranges)
    for (Index p = range.first; p < range.last; ++p) {
      EXPECT_FALSE(marks[static_cast<std::size_t>(p)]) << "in two ranges";
      marks[static_cast<std::size_t>(p)] = true;
    }
  return marks;
}

TEST(Halo, EdgeAndInteriorAreWhatIsOwned) {
  std::mt19937_64 random(3);
  constexpr std::size_t all = 4000;
  for (const std::vector<SiteRange>& own :
       {std::vector<SiteRange>{{0, 4000}}, {{5, 900}, {1000, 2000}, {2000, 3999}}, {{7, 8}}, {}}) {
    const std::vector<bool> is_own = marks_of(own, all);
    for (const int read : {0, 1, 10, 100, 3000}) {
      std::vector<std::int32_t> positions;
      for (int n = 0; n < read; ++n)
        if (const std::size_t p = random() % all; is_own[p])
          positions.insert(positions.end(), 2, static_cast<std::int32_t>(p));
      const EdgeAndInterior parts(own, positions, 1);
      EXPECT_LE(parts.edge.size(), 16u);
      const std::vector<bool> edge = marks_of(parts.edge, all);
      const std::vector<bool> interior = marks_of(parts.interior, all);
      for (std::size_t p = 0; p < all; ++p) {
        EXPECT_EQ(edge[p] || interior[p], is_own[p]) << p;
        EXPECT_FALSE(edge[p] && interior[p]) << p;
      }
      for (const std::int32_t p : positions) EXPECT_TRUE(edge[static_cast<std::size_t>(p)]);
    }
  }
}

TEST(Halo, EdgeOfAPartBetweenPlanesIsTheTwoBesideThem) {
  const std::vector<SiteRange> own{{100, 200}, {300, 400}};
  std::vector<std::int32_t> read;
  for (const std::int32_t first : {390, 100, 300, 190})
    for (std::int32_t n = 0; n < 10; ++n) read.push_back(first + n);
  const auto bounds = [](const std::vector<SiteRange>& ranges) {
    std::vector<Index> all;
    for (const SiteRange& range : ranges) all.insert(all.end(), {range.first, range.last});
    return all;
  };
  const EdgeAndInterior parts(own, read, 160);
  EXPECT_EQ(bounds(parts.edge), (std::vector<Index>{100, 110, 190, 200, 300, 310, 390, 400}));
  EXPECT_EQ(bounds(parts.interior), (std::vector<Index>{110, 190, 310, 390}));
  const EdgeAndInterior small(own, read, 161);
  EXPECT_EQ(bounds(small.edge), bounds(own));
  EXPECT_TRUE(small.interior.empty());
}

TEST(Halo, CountsNumbersOfEitherLayout) {
  EXPECT_EQ(numbers_at({100, 1}, 7, 1), 21);
  EXPECT_EQ(numbers_at({100, 20}, 7, 2), 7 * 3 * 16);
}

}  // namespace
}  // namespace larmor::spins
