// Natural numbers of any size, compared with known decimal numbers.
// Rooms: core

#include "larmor/core/maths/natural_number.hpp"

#include <gtest/gtest.h>

namespace larmor {

NaturalNumber power(std::uint64_t base, int exponent) {
  NaturalNumber product(1);
  for (int n = 0; n < exponent; ++n) product = product * NaturalNumber(base);
  return product;
}

TEST(NaturalNumber, HasTheDigitsOfProducts) {
  EXPECT_EQ(NaturalNumber().digits(), "0");
  EXPECT_EQ(NaturalNumber(0).digits(), "0");
  EXPECT_EQ((NaturalNumber(0) * power(3, 90)).digits(), "0");
  EXPECT_EQ(NaturalNumber(18446744073709551615U).digits(), "18446744073709551615");
  EXPECT_EQ(power(2, 64).digits(), "18446744073709551616");
  EXPECT_EQ(power(10, 38).digits(), "1" + std::string(38, '0'));
  EXPECT_EQ(power(3, 100).digits(), "515377520732011331036461129765621272702107522001");
  EXPECT_EQ(power(7, 60) * power(7, 40), power(7, 100));
  EXPECT_EQ(NaturalNumber(5), 5U);
}

TEST(NaturalNumber, KnowsTheNextPowerOfTwo) {
  const auto exponent = [](std::vector<Limb> number) { return limbs::exponent_above(number); };
  EXPECT_EQ(exponent({1, 0}), 0);
  EXPECT_EQ(exponent({2}), 1);
  EXPECT_EQ(exponent({3}), 2);
  EXPECT_EQ(exponent({0, 1}), 64);
  EXPECT_EQ(exponent({1, 1, 0}), 65);
  EXPECT_EQ(exponent({~Limb{0}}), 64);
  EXPECT_EQ(power(2, 63).bit_length(), 64);
  EXPECT_EQ(power(2, 64).bit_length(), 65);
  EXPECT_EQ(NaturalNumber(0).bit_length(), 0);
}

TEST(NaturalNumber, CarriesThroughSums) {
  std::vector<Limb> sum{~Limb{0}, ~Limb{0}, 0};
  limbs::add(sum, std::vector<Limb>{1});
  EXPECT_EQ(sum, (std::vector<Limb>{0, 0, 1}));
  limbs::add(sum, std::vector<Limb>{5, 0, 2, 0});
  EXPECT_EQ(sum, (std::vector<Limb>{5, 0, 3}));
}

}  // namespace larmor
