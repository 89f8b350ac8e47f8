// Rooms: core
#include "larmor/core/input/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace larmor {
namespace {

const std::vector<std::string> keys{"shell", "pairs", "temperature", "J"};

TEST(EditDistance, CountsEachKindOfEdit) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("abc", "abc"), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("abc", "abxc"), 1U);
  EXPECT_EQ(edit_distance("abc", "ac"), 1U);
  EXPECT_EQ(edit_distance("abc", "axc"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, SwapOfNeighboursIsOneEdit) {
  EXPECT_EQ(edit_distance("shlel", "shell"), 1U);
  EXPECT_EQ(edit_distance("ba", "ab"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // the distance is restricted: no byte is edited twice
}

TEST(Closest, FindsTheNearestOrNothing) {
  EXPECT_EQ(closest("shel", keys), "shell");
  EXPECT_EQ(closest("temprature", keys), "temperature");
  EXPECT_EQ(closest("pressure", keys), std::nullopt);
  EXPECT_EQ(closest("", keys), std::nullopt);
}

TEST(Closest, ShortWordsMatchOnlyButForCase) {
  EXPECT_EQ(closest("j", keys), "J");
  EXPECT_EQ(closest("K", keys), std::nullopt);
}

TEST(Closest, OfEqualsTheOneWithTheSameCaseWins) {
  EXPECT_EQ(closest("mev", {"MeV", "meV"}), "meV");
}

TEST(DidYouMean, IsASentenceOrEmpty) {
  EXPECT_EQ(did_you_mean("shel", keys), "did you mean 'shell'?");
  EXPECT_EQ(did_you_mean("zzzzzz", keys), "");
  EXPECT_EQ(comma_list({"a", "b"}), "a, b");
}

}  // namespace
}  // namespace larmor
