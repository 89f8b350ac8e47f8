// The choice of a GPU by each rank of a machine.
// Rooms: study

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "larmor/study/run/device.hpp"

namespace larmor::study {
namespace {

/// The GPU that each rank gets if other users have closed some GPUs.
std::vector<int> taken(int ranks, int count, const std::set<int>& closed) {
  std::vector<int> of_rank;
  for (int rank = 0; rank < ranks; ++rank)
    for (const int ordinal : gpus_to_try(rank, ranks, count)) {
      if (closed.contains(ordinal)) continue;
      of_rank.push_back(ordinal);
      break;
    }
  return of_rank;
}

TEST(GpusOfRanks, EachHasItsOwn) {
  EXPECT_EQ(taken(4, 4, {}), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(taken(2, 4, {}), (std::vector<int>{0, 1}));
  EXPECT_EQ(taken(3, 2, {}), (std::vector<int>{0, 1, 0}));
}

TEST(GpusOfRanks, ClosedOnesAreReplacedByThoseThatNobodyHas) {
  EXPECT_EQ(taken(1, 2, {0}), (std::vector<int>{1}));
  EXPECT_EQ(taken(3, 4, {0}), (std::vector<int>{3, 1, 2}));
  EXPECT_EQ(taken(3, 4, {1}), (std::vector<int>{0, 3, 2}));
  const std::vector<int> two_closed = taken(4, 6, {0, 3});
  EXPECT_EQ(std::set<int>(two_closed.begin(), two_closed.end()).size(), 4u);
  // There is one GPU too few, so two ranks share one.
  EXPECT_EQ(taken(2, 2, {0}), (std::vector<int>{1, 1}));
}

TEST(GpusOfRanks, AllAreTried) {
  for (int count = 0; count < 6; ++count)
    for (int ranks = 1; ranks < 8; ++ranks)
      for (int rank = 0; rank < ranks; ++rank) {
        std::vector<int> order = gpus_to_try(rank, ranks, count);
        ASSERT_EQ(static_cast<int>(order.size()), count);
        std::sort(order.begin(), order.end());
        for (int n = 0; n < count; ++n) EXPECT_EQ(order[static_cast<std::size_t>(n)], n);
      }
}

}  // namespace
}  // namespace larmor::study
