// Random couplings that an [[exchange]] table defines.
// Rooms: lattice

#include "larmor/lattice/exchange_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "larmor/lattice/quenched_disorder.hpp"

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

TEST(ExchangeKeys, UniformCouplingsFillTheirInterval) {
  constexpr Index pairs = 40000;
  const ExchangeKeys keys = disordered("uniform");
  double sum = 0, squares = 0, fourth = 0, largest = 0;
  for (Index i = 0; i < pairs; ++i) {
    const double part = keys.deviation(i, i + 1, 0) / 0.7;
    ASSERT_LT(std::abs(part), 1);
    largest = std::max(largest, std::abs(part));
    sum += part;
    squares += part * part;
    fourth += std::pow(part, 4);
  }
  // Five standard errors of the moments of a uniform distribution in (-1, 1).
  EXPECT_NEAR(sum / pairs, 0, 5 * std::sqrt(1.0 / 3 / pairs));
  EXPECT_NEAR(squares / pairs, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / pairs));
  EXPECT_NEAR(fourth / pairs, 1.0 / 5, 5 * std::sqrt(16.0 / 225 / pairs));
  EXPECT_GT(largest, 0.999);
  EXPECT_EQ(keys.deviation(3, 5, 2), keys.deviation(5, 3, 2));
  EXPECT_NE(keys.deviation(3, 5, 2), keys.deviation(3, 5, 1));
}

TEST(ExchangeKeys, SitesHaveThreeIndependentUniformNumbers) {
  constexpr Index sites = 40000;
  Vec3<double> sum{}, squares{}, products{};
  for (Index i = 0; i < sites; ++i) {
    const Vec3<double> u = lattice::site_uniforms(3, i);
    sum = sum + u;
    squares = squares + Vec3<double>{u.x * u.x, u.y * u.y, u.z * u.z};
    products = products + Vec3<double>{u.x * u.y, u.y * u.z, u.z * u.x};
  }
  for (const double value : {sum.x, sum.y, sum.z})
    EXPECT_NEAR(value / sites, 0, 5 * std::sqrt(1.0 / 3 / sites));
  for (const double value : {squares.x, squares.y, squares.z})
    EXPECT_NEAR(value / sites, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / sites));
  for (const double value : {products.x, products.y, products.z})
    EXPECT_NEAR(value / sites, 0, 5 / 3.0 / std::sqrt(sites));
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
  EXPECT_FALSE(lattice::variance_of_normal({disordered("uniform")}));
  EXPECT_FALSE(lattice::variance_of_normal({}));
}

}  // namespace
