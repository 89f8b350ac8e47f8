// Rooms: core
#include "larmor/core/fnv_hash.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace larmor {
namespace {

/// Published test vectors.
TEST(FnvHash, IsFnv1a) {
  EXPECT_EQ(fnv_hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv_hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv_hash("foobar"), 0x85944171f73967e8u);
}

TEST(FnvHash, ShortOnesTellNumbersApart) {
  const std::vector<long> one{1, 2, 3}, other{1, 2, 4};
  const double hash = short_hash(std::span<const long>(one));
  EXPECT_NE(hash, short_hash(std::span<const long>(other)));
  EXPECT_LT(hash, 4503599627370496.0);
  EXPECT_EQ(hash, static_cast<double>(static_cast<std::uint64_t>(hash)));
}

}  // namespace
}  // namespace larmor
