// Random couplings that an [[exchange]] table defines.
// Rooms: lattice

#include "larmor/lattice/exchange_keys.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace {

using namespace larmor;
using lattice::ExchangeKeys;

ExchangeKeys disordered(const std::string& distribution) {
  ExchangeKeys keys;
  keys.J = 0;
  keys.disorder = 0.7;
  keys.disorder_distribution = distribution;
  keys.disorder_by_replica = true;
  return keys;
}

TEST(ExchangeKeys, BimodalCouplingsGoUpWithTheirProbability) {
  constexpr Index pairs = 40000;
  for (const double probability : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    ExchangeKeys keys = disordered("bimodal");
    keys.disorder_probability = probability;
    double up = 0;
    for (Index i = 0; i < pairs; ++i) {
      const double step = keys.deviation(i, i + 1, 0);
      ASSERT_EQ(std::abs(step), 0.7);
      up += step > 0;
    }
    EXPECT_NEAR(up / pairs, probability,
                5 * std::sqrt(probability * (1 - probability) / pairs) + 1e-12);
  }
}

TEST(ExchangeKeys, CouplingsThatGoUpStillDoSoWithALargerProbability) {
  ExchangeKeys rare = disordered("bimodal"), frequent = rare;
  rare.disorder_probability = 0.3;
  for (Index i = 0; i < 1000; ++i)
    EXPECT_LE(rare.deviation(i, i + 1, 0), frequent.deviation(i, i + 1, 0));
}

TEST(ExchangeKeys, ReplicasOfASampleShareItsCouplings) {
  ExchangeKeys keys = disordered("normal");
  keys.replicas_of_sample = 4;
  EXPECT_EQ(keys.deviation(3, 5, 4), keys.deviation(5, 3, 7));
  EXPECT_NE(keys.deviation(3, 5, 4), keys.deviation(3, 5, 3));
}

TEST(ExchangeKeys, VarianceIsThatOfNormalCouplingsAboutZeroAlone) {
  const ExchangeKeys normal = disordered("normal");
  EXPECT_NEAR(lattice::variance_of_normal({normal, normal}).value(), 0.49, 1e-15);
  ExchangeKeys other = normal;
  other.J = 0.1;
  EXPECT_FALSE(lattice::variance_of_normal({normal, other}));
  other = normal;
  other.disorder = 0.8;
  EXPECT_FALSE(lattice::variance_of_normal({normal, other}));
  other = normal;
  other.disorder_by_replica = false;
  EXPECT_FALSE(lattice::variance_of_normal({other}));
  EXPECT_FALSE(lattice::variance_of_normal({disordered("bimodal")}));
  EXPECT_FALSE(lattice::variance_of_normal({}));
}

}  // namespace
