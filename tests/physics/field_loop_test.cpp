#include "larmor/study/kinds/spins/stages/field_loop.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace larmor::study {
namespace {

const std::vector<double> fields{2, 1, 0, -1, -2, -1, 0, 1, 2};
const std::vector<double> moments{1, 0.9, 0.8, 0.4, -1, -0.9, -0.8, -0.4, 1};
const std::vector<double> errors(9, 0.1);
constexpr double half_width = 1 + 0.4 / 1.4;  // where the moment goes from 0.4 to -1

TEST(FieldLoop, CoerciveFieldIsHalfTheWidthOfTheLoop) {
  const FieldLoop loop = field_loop(fields, moments, errors);
  EXPECT_NEAR(loop.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(loop.coercive_field.error, 0.1 / 1.4 / std::sqrt(2.0), 1e-14);
  std::vector<double> shifted = fields;
  for (double& B : shifted) B += 0.3;
  EXPECT_NEAR(field_loop(shifted, moments, errors).coercive_field.value, half_width, 1e-14);
}

TEST(FieldLoop, RemanenceIsTheMomentWithoutAField) {
  const FieldLoop loop = field_loop(fields, moments, errors);
  EXPECT_NEAR(loop.remanence.value, 0.8, 1e-14);
  EXPECT_NEAR(loop.remanence.error, 0.1 / std::sqrt(2.0), 1e-14);
  const FieldLoop between = field_loop({1, -1}, {1, 0.5}, {0.1, 0.1});
  EXPECT_NEAR(between.remanence.value, 0.75, 1e-14);
  EXPECT_NEAR(between.remanence.error, 0.1, 1e-14);
}

TEST(FieldLoop, ASweepOneWayHasBothToo) {
  const FieldLoop falling =
      field_loop({fields.begin(), fields.begin() + 5}, {moments.begin(), moments.begin() + 5}, {});
  EXPECT_NEAR(falling.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(falling.remanence.value, 0.8, 1e-14);
  EXPECT_TRUE(std::isnan(falling.remanence.error));
  const FieldLoop rising =
      field_loop({fields.begin() + 4, fields.end()}, {moments.begin() + 4, moments.end()}, errors);
  EXPECT_NEAR(rising.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(rising.remanence.value, 0.8, 1e-14);
}

TEST(FieldLoop, WhatIsReversibleHasNoWidth) {
  const FieldLoop loop = field_loop(fields, {2, 1, 0, -1, -2, -1, 0, 1, 2}, errors);
  EXPECT_NEAR(loop.coercive_field.value, 0, 1e-14);
  EXPECT_NEAR(loop.remanence.value, 0, 1e-14);
  // An antiferromagnet has no moment in a small field.
  const FieldLoop flat = field_loop(fields, {1, 0, 0, 0, -1, 0, 0, 0, 1}, errors);
  EXPECT_NEAR(flat.coercive_field.value, 0, 1e-14);
}

TEST(FieldLoop, WhatTheFieldsDoNotReachIsNotKnown) {
  const FieldLoop loop = field_loop({3, 2, 1}, {1, 0.9, 0.8}, errors);
  EXPECT_TRUE(std::isnan(loop.coercive_field.value));
  EXPECT_TRUE(std::isnan(loop.remanence.value));
  EXPECT_TRUE(std::isnan(field_loop({1}, {1}, {0}).remanence.value));
  // A curve that begins without a field has no remanence there.
  EXPECT_TRUE(std::isnan(field_loop({0, 1, 2}, {0, 0.5, 1}, errors).remanence.value));
}

}  // namespace
}  // namespace larmor::study
