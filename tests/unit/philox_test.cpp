// Rooms: core
#include "larmor/core/maths/philox.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <vector>

#include "larmor/core/maths/pack.hpp"

namespace {

using namespace larmor;

__extension__ using Counter = unsigned __int128;

std::array<std::uint32_t, 4> reference(const RandomKey& key, std::uint64_t site,
                                       std::uint64_t replica, std::uint32_t block) {
  // The documented counter, bit field by bit field.
  const auto counter = static_cast<Counter>(site) | static_cast<Counter>(key.step) << 40 |
                       static_cast<Counter>(replica) << 80 |
                       static_cast<Counter>(key.stream) << 104 | static_cast<Counter>(block) << 112;
  r123::Philox4x32::ctr_type c{};
  for (int i = 0; i < 4; ++i)
    c[static_cast<std::size_t>(i)] = static_cast<std::uint32_t>(counter >> (32 * i));
  const r123::Philox4x32::key_type k{
      {static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)}};
  const auto r = r123::Philox4x32()(c, k);
  return {r[0], r[1], r[2], r[3]};
}

TEST(Philox, EqualsRandom123InScalarAndInEveryLane) {
  const std::uint64_t big_site = (1ull << 40) - 3, big_replica = (1ull << 24) - 5;
  for (const std::uint64_t step : {0ull, 1ull, 12345678901ull, (1ull << 40) - 1}) {
    const RandomKey key{0x0123456789abcdefull ^ step, step, Stream::heat_bath};
    PackBits sites(big_site), replicas(big_replica);
    for (int l = 0; l < lane_count; ++l) {
      sites.set(l, big_site - static_cast<std::uint64_t>(l) * 1000003);
      replicas.set(l, big_replica - static_cast<std::uint64_t>(l) * 7);
    }
    const auto lanes = philox(key, sites, replicas, 65535);
    for (int l = 0; l < lane_count; ++l) {
      const auto expected = reference(key, sites.lane(l), replicas.lane(l), 65535);
      const auto scalar = philox<std::uint64_t>(key, sites.lane(l), replicas.lane(l), 65535);
      for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(lanes.w[i].lane(l), expected[static_cast<std::size_t>(i)]);
        EXPECT_EQ(scalar.w[i], expected[static_cast<std::size_t>(i)]);
      }
    }
  }
}

TEST(Philox, UniformFloatsAreTheSameInEveryLaneAndStayInside) {
  EXPECT_GT(uniform_32<float>(0), 0.0f);
  EXPECT_LT(uniform_32<float>(0xffffffffu), 1.0f);
  EXPECT_FLOAT_EQ(uniform_32<float>(0x40000000u), 0.25f);
  PackBits words;
  for (int l = 0; l < lane_count; ++l)
    words.set(l, 0xabcdef0100000000ull +
                     0x1234567u * static_cast<std::uint64_t>(l + 1) * 97 % 0xffffffffu);
  const PackOf<float> u = uniform_32<PackOf<float>>(words);
  for (int l = 0; l < lane_count; ++l) {
    EXPECT_EQ(u.lane(l), uniform_32<float>(words.lane(l)));
    EXPECT_NEAR(u.lane(l), uniform_32<double>(words.lane(l) & 0xffffffffu), 1.2e-7);
  }
}

TEST(Philox, UniformsStayInsideTheOpenInterval) {
  EXPECT_GT(uniform_32<double>(0), 0.0);
  EXPECT_LT(uniform_32<double>(0xffffffffu), 1.0);
  EXPECT_GT(uniform_52<double>(0, 0), 0.0);
  EXPECT_LT(uniform_52<double>(0xffffffffu, 0xffffffffu), 1.0);
  EXPECT_DOUBLE_EQ(uniform_32<double>(0x80000000u), 0.5 + 0.5 / 4294967296.0);
  EXPECT_NEAR(uniform_52<double>(0x40000000u, 0), 0.25, 1e-15);
}

TEST(Philox, UniformsHaveTheMomentsOfAUniform) {
  double sum = 0, squares = 0, product = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const auto r =
        philox<std::uint64_t>({7, static_cast<std::uint64_t>(i), Stream::metropolis}, 3, 1);
    const double u = uniform_52<double>(r.w[0], r.w[1]);
    const double v = uniform_32<double>(r.w[2]);
    sum += u;
    squares += u * u;
    product += u * v;
  }
  // The limits are four standard errors. Sigma is 1/sqrt(12) for u, sqrt(4/45) for u^2 and
  // sqrt(7)/12 for uv.
  EXPECT_NEAR(sum / n, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
  EXPECT_NEAR(product / n, 0.25, 4 * std::sqrt(7.0 / 144 / n));
}

}  // namespace
