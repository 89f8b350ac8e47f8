// Which positions ranks that share a lattice send one another.

#include "larmor/spins/halo.hpp"

#include <gtest/gtest.h>

namespace larmor::spins {
namespace {

using Positions = std::vector<std::int32_t>;

TEST(Halo, AmongSomeSitesHasThoseAlone) {
  Halo halo(3);
  halo.out[1] = {1, 4, 5, 9, 12};
  halo.in[2] = {20, 21, 30};
  const std::vector<SiteRange> sites{{0, 2}, {5, 6}, {6, 12}, {21, 31}};
  const Halo some = halo.among(sites);
  EXPECT_EQ(some.out[1], (Positions{1, 5, 9}));
  EXPECT_EQ(some.in[2], (Positions{21, 30}));
  EXPECT_EQ(some.received(), 2);
  EXPECT_TRUE(some.out[0].empty() && some.out[2].empty() && some.in[0].empty());
  EXPECT_EQ(halo.among({}).received(), 0);
}

/// Ranges of three ranks that end anywhere, 35 positions in all.
const RangesOfRanks owned{{{0, 7}, {12, 13}, {20, 28}}, {{7, 12}, {28, 30}}, {{13, 20}, {30, 35}}};

std::size_t owner_of(Index position) {
  for (std::size_t rank = 0; rank < owned.size(); ++rank)
    for (const SiteRange& range : owned[rank])
      if (position >= range.first && position < range.last) return rank;
  throw std::logic_error("nobody owns a position");
}

TEST(Halo, OfPartsIsWhatTheOwnersOfTheirFirstPositionsLack) {
  for (const Index of_part : {1, 2, 5, 8, 16, 64}) {
    std::vector<PositionsOfRanks> sent(3, PositionsOfRanks(3));  // by owner and reader
    for (Index position = 0; position < 35; ++position) {
      const std::size_t owner = owner_of(position);
      const std::size_t reader = owner_of(position / of_part * of_part);
      if (owner != reader) sent[owner][reader].push_back(static_cast<std::int32_t>(position));
    }
    for (std::size_t rank = 0; rank < 3; ++rank) {
      const Halo halo = halo_of_parts(owned, static_cast<int>(rank), of_part);
      EXPECT_EQ(halo.out, sent[rank]) << of_part;
      for (std::size_t other = 0; other < 3; ++other)
        EXPECT_EQ(halo.in[other], sent[other][rank]) << of_part;
    }
  }
}

TEST(Halo, CountsNumbersOfEitherLayout) {
  EXPECT_EQ(numbers_at({100, 1}, 7, 1), 21);
  EXPECT_EQ(numbers_at({100, 20}, 7, 2), 7 * 3 * 16);
}

}  // namespace
}  // namespace larmor::spins
