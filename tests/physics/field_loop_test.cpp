// Rooms: study
#include "larmor/study/models/spins/stages/field_loop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/statistics/statistics.hpp"

namespace larmor::study::field_loop_tests {
namespace {

const std::vector<double> fields{2, 1, 0, -1, -2, -1, 0, 1, 2};
const std::vector<double> moments{1, 0.9, 0.8, 0.4, -1, -0.9, -0.8, -0.4, 1};
constexpr double half_width = 1 + 0.4 / 1.4;  // field at which the moment changes from 0.4 to -1

FieldLoop loop_of(const std::vector<double>& field, const std::vector<double>& moment,
                  double polarisation = 0) {
  return field_loop(field, moment, polarisation);
}

/// A sweep of the field from `top` down to -top and back.
std::vector<double> sweep(double top, double step) {
  std::vector<double> field;
  const int points = static_cast<int>(std::lround(2 * top / step));
  for (int n = 0; n <= points; ++n) field.push_back(top - step * n);
  for (int n = points - 1; n >= 0; --n) field.push_back(top - step * n);
  return field;
}

/// The Stoner-Wohlfarth particle has the energy - cos^2(t - psi) / 2 - h cos(t), with h in units of
/// 2 K / mu. Each field starts from the angle of the previous field. @param psi angle between axis
/// and field
std::vector<double> particle(const std::vector<double>& field, double psi) {
  std::vector<double> moment;
  double t = 0.01;
  for (const double h : field) {
    for (int step = 0; step < 100000; ++step) {
      const double slope = std::sin(2 * (t - psi)) / 2 + h * std::sin(t);
      const double bend = std::cos(2 * (t - psi)) + h * std::cos(t);
      // Makes a Newton step if it leads to a minimum, or else a step downhill.
      const double turn = bend > 0.2 ? -slope / bend : -0.3 * slope;
      t += std::clamp(turn, -0.1, 0.1);
      if (std::abs(slope) < 1e-13) break;
    }
    moment.push_back(std::cos(t));
  }
  return moment;
}

TEST(FieldLoop, CoerciveFieldIsHalfTheWidthOfTheLoop) {
  const FieldLoop loop = loop_of(fields, moments);
  EXPECT_NEAR(loop.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(loop.coercive_field_falling.value, -half_width, 1e-14);
  EXPECT_NEAR(loop.coercive_field_rising.value, half_width, 1e-14);
  std::vector<double> shifted = fields;
  for (double& B : shifted) B += 0.3;
  const FieldLoop biased = loop_of(shifted, moments);
  EXPECT_NEAR(biased.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(biased.coercive_field_falling.value, 0.3 - half_width, 1e-14);
  EXPECT_NEAR(biased.coercive_field_rising.value, 0.3 + half_width, 1e-14);
}

TEST(FieldLoop, RemanenceIsTheMomentWithoutAField) {
  EXPECT_NEAR(loop_of(fields, moments).remanence.value, 0.8, 1e-14);
  EXPECT_NEAR(loop_of({1, -1}, {1, 0.5}).remanence.value, 0.75, 1e-14);
}

TEST(FieldLoop, AJumpInTheStepOverZeroLeavesTheRemanenceUnknown) {
  const std::vector<double> over_zero{0.7, 0.4, 0.1, -0.2, -0.5}, at_zero{0.6, 0.3, 0, -0.3, -0.6};
  EXPECT_TRUE(std::isnan(loop_of(over_zero, {1, 1, 1, -1, -1}).remanence.value));
  EXPECT_TRUE(std::isnan(loop_of(over_zero, {1, 1, 0.9, 0.3, 0.2}).remanence.value));
  EXPECT_TRUE(std::isnan(loop_of(over_zero, {1, 1, 1, -1, -1}).energy_product.value));
  EXPECT_NEAR(loop_of(over_zero, {1, 1, 1, -1, -1}).coercive_field.value, 0.05, 1e-14);
  EXPECT_TRUE(std::isnan(loop_of({0.2, 0.1, -0.1}, {1, 1, -1}).remanence.value));
  EXPECT_TRUE(std::isnan(loop_of({0.2, -0.1, -0.2}, {1, -1, -1}).remanence.value));
  EXPECT_EQ(loop_of(at_zero, {1, 1, 1, -1, -1}).remanence.value, 1);
  // These curves have no jump.
  EXPECT_NEAR(loop_of(over_zero, {0.7, 0.4, 0.1, -0.2, -0.5}).remanence.value, 0, 1e-14);
  EXPECT_NEAR(loop_of(over_zero, {1, 1, 1, 0.9999, 0.9999}).remanence.value, 1, 1e-4);
}

TEST(FieldLoop, ErrorsAreThoseOfTheReplicas) {
  // On a straight line between two fields, the remanence is linear in the moments. Therefore it has
  // the error of independent values.
  const FieldLoop loop = loop_of({1, -1}, {1, 0.9, 1.1, 0.5, 0.2, 0.4});
  const std::vector<double> of_replicas{0.75, 0.55, 0.75};
  EXPECT_NEAR(loop.remanence.value, (0.75 + 0.55 + 0.75) / 3, 1e-14);
  EXPECT_NEAR(loop.remanence.error, estimate_independent(of_replicas).error, 1e-14);
  EXPECT_TRUE(std::isnan(loop.coercive_field.error));
  EXPECT_TRUE(std::isnan(loop_of(fields, moments).remanence.error));  // one replica
  // The steep branches of two replicas are shifted against each other. The error is half of the
  // distance.
  std::vector<double> two;
  const std::vector<double> field{1, 0, -1, -2};
  for (const double B : field) {
    two.push_back(B + 0.5);
    two.push_back(B + 0.7);
  }
  const std::vector<double> apart{0.5, 0.7};
  EXPECT_NEAR(loop_of(field, two).coercive_field.value, 0.6, 1e-14);
  EXPECT_NEAR(loop_of(field, two).coercive_field.error, estimate_independent(apart).error, 1e-12);
}

TEST(FieldLoop, ASweepOneWayHasItsBranchAlone) {
  const FieldLoop falling =
      loop_of({fields.begin(), fields.begin() + 5}, {moments.begin(), moments.begin() + 5});
  EXPECT_NEAR(falling.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(falling.coercive_field_falling.value, -half_width, 1e-14);
  EXPECT_TRUE(std::isnan(falling.coercive_field_rising.value));
  EXPECT_NEAR(falling.remanence.value, 0.8, 1e-14);
  const FieldLoop rising =
      loop_of({fields.begin() + 4, fields.end()}, {moments.begin() + 4, moments.end()});
  EXPECT_NEAR(rising.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(rising.remanence.value, 0.8, 1e-14);
}

TEST(FieldLoop, AFirstCurveFromZeroIsNoBranch) {
  std::vector<double> field{0, 1}, moment{0, 0.3};
  field.insert(field.end(), fields.begin(), fields.end());
  moment.insert(moment.end(), moments.begin(), moments.end());
  const FieldLoop loop = loop_of(field, moment);
  EXPECT_NEAR(loop.coercive_field.value, half_width, 1e-14);
  EXPECT_NEAR(loop.coercive_field_rising.value, half_width, 1e-14);
  EXPECT_NEAR(loop.remanence.value, 0.8, 1e-14);
}

TEST(FieldLoop, WhatIsLinearHasNoWidthAndDoesNotSaturate) {
  const FieldLoop loop = loop_of(fields, {2, 1, 0, -1, -2, -1, 0, 1, 2}, 1);
  EXPECT_NEAR(loop.coercive_field.value, 0, 1e-14);
  EXPECT_NEAR(loop.remanence.value, 0, 1e-14);
  EXPECT_NEAR(loop.energy_product.value, 0, 1e-14);
  EXPECT_TRUE(std::isnan(loop.saturation_field.value));
  // An antiferromagnet has no moment in a small field.
  const FieldLoop flat = loop_of(fields, {1, 0, 0, 0, -1, 0, 0, 0, 1});
  EXPECT_NEAR(flat.coercive_field.value, 0, 1e-14);
}

TEST(FieldLoop, AcrossItsAxisAParticleSaturatesAtItsAnisotropyField) {
  // The curve is m = h up to h = 1, so the field 0.99 gives 99 % of saturation.
  const std::vector<double> field = sweep(2, 0.05);
  std::vector<double> moment;
  for (const double h : field) moment.push_back(std::clamp(h, -1.0, 1.0));
  EXPECT_NEAR(loop_of(field, moment).saturation_field.value, 0.99, 1e-12);
  // A sweep that ends at saturation does not show that it is saturated.
  const std::vector<double> within = sweep(1, 0.05);
  EXPECT_TRUE(std::isnan(loop_of(within, within).saturation_field.value));
}

TEST(FieldLoop, AlongItsAxisTheLoopOfAParticleIsSquare) {
  const double step = 0.01;
  const std::vector<double> field = sweep(1.505, step);
  const FieldLoop loop = loop_of(field, particle(field, 1e-4));
  EXPECT_NEAR(loop.coercive_field.value, 1, step);
  EXPECT_NEAR(loop.saturation_field.value, 1, step);
  EXPECT_NEAR(loop.remanence.value, 1, 1e-7);
}

TEST(FieldLoop, AtAnAngleAParticleHasTheCoerciveFieldOfTheAstroid) {
  const double step = 0.01;
  const std::vector<double> field = sweep(2.005, step);
  for (const double degrees : {15.0, 30.0, 60.0, 75.0}) {
    const double psi = degrees * std::numbers::pi / 180;
    const FieldLoop loop = loop_of(field, particle(field, psi));
    // Up to 45 degrees, the moment jumps past zero. Beyond 45 degrees, it turns through zero and
    // then jumps.
    const double jump =
        std::pow(std::pow(std::cos(psi), 2.0 / 3) + std::pow(std::sin(psi), 2.0 / 3), -1.5);
    const double exact = degrees <= 45 ? jump : std::sin(2 * psi) / 2;
    EXPECT_NEAR(loop.coercive_field.value, exact, degrees <= 45 ? step : 1e-4) << degrees;
    EXPECT_NEAR(loop.remanence.value, std::cos(psi), 1e-4) << degrees;
  }
}

TEST(FieldLoop, ParticlesOfAllAxesHaveHalfTheirMomentLeft) {
  const std::vector<double> field = sweep(1.505, 0.01);
  constexpr int axes = 100;
  std::vector<std::vector<double>> curves;
  for (int n = 0; n < axes; ++n) curves.push_back(particle(field, std::acos((n + 0.5) / axes)));
  std::vector<double> moment;
  for (std::size_t p = 0; p < field.size(); ++p)
    for (const std::vector<double>& curve : curves) moment.push_back(curve[p]);
  const FieldLoop loop = loop_of(field, moment);
  EXPECT_NEAR(loop.remanence.value, 0.5, 1e-3);
  // The known coercive field is 0.479: Stoner and Wohlfarth, Phil. Trans. R. Soc. A 240, 599
  // (1948).
  EXPECT_NEAR(loop.coercive_field.value, 0.479, 0.005);
  // The cosine of the axis to the field is uniform between 0 and 1.
  EXPECT_NEAR(loop.remanence.error, std::sqrt(1.0 / 12 / axes), 1e-3);
}

TEST(FieldLoop, EnergyProductOfASquareLoop) {
  const std::vector<double> field = sweep(2, 0.01);
  const auto square = [&](double width) {
    std::vector<double> moment;
    for (std::size_t n = 0; n < field.size(); ++n) {
      const double s = n < field.size() / 2 ? 1 : -1;
      moment.push_back(s * field[n] > -width ? s : -s);
    }
    return moment;
  };
  // With B = B_0 + p, the maximum of - B_0 (B_0 + p) is p^2 / 4, at B_0 = - p / 2. This holds if
  // the moment has not switched there.
  for (const double p : {0.5, 1.3, 1.999})
    EXPECT_NEAR(loop_of(field, square(1.005), p).energy_product.value, p * p / 4, 1e-12) << p;
  EXPECT_NEAR(loop_of(field, square(0.505), 3).energy_product.value, 0.5 * 2.5, 1e-12);
}

TEST(FieldLoop, WhatTheFieldsDoNotReachIsNotKnown) {
  const FieldLoop loop = loop_of({3, 2, 1}, {1, 0.9, 0.8}, 1);
  for (const auto& [name, of] : loop_quantities) EXPECT_TRUE(std::isnan((loop.*of).value)) << name;
  for (const auto& [name, of] : loop_quantities) {
    EXPECT_TRUE(std::isnan((loop_of({}, {}).*of).value)) << name;
    EXPECT_TRUE(std::isnan((loop_of({1}, {1}).*of).value)) << name;
  }
  // A curve that starts at zero field has no remanence at this field.
  EXPECT_TRUE(std::isnan(loop_of({0, 1, 2}, {0, 0.5, 1}).remanence.value));
}

}  // namespace
}  // namespace larmor::study::field_loop_tests
