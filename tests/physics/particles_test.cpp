// Particles in a potential that a formula gives: formulas, minima, states, thermal motion.
// Rooms: particles

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "larmor/core/error.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "larmor/particles/motion.hpp"
#include "tests/expectations.hpp"

namespace larmor::particles_tests {

using namespace larmor::particles;
using larmor::testing_support::contains;
using parsplice::Configuration;

template <class Wrong>
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Wrong& error) {
    return error.what();
  }
  return "no error";
}

TEST(Formula, HasTheValueOfItsText) {
  Formula formula("a*x^2 + (y > 1 ? sin(_pi*y) : 2)", {"x", "y"}, {{"a", 3}});
  EXPECT_DOUBLE_EQ(formula(std::array{2.0, 0.5}), 14);
  EXPECT_NEAR(formula(std::array{1.0, 1.5}), 2, 1e-12);
}

TEST(Formula, RefusesWhatIsNotAFormula) {
  const auto refusal = [](const char* text) {
    return message_of<InputError>([&] { Formula(text, {"x"}, {{"h", 1}}); });
  };
  EXPECT_TRUE(contains(refusal("h*z^2"), "\"z\""));
  EXPECT_TRUE(contains(refusal("h*(x"), "is wrong"));
  EXPECT_TRUE(contains(refusal("x = 3"), "has an assignment"));
  EXPECT_TRUE(contains(refusal("x, x"), "several numbers"));
  EXPECT_EQ(refusal("x >= 3 && x != 2 || x == 1 || x <= 0"), "no error");
  EXPECT_TRUE(contains(message_of<InputError>([] { require_name("2x"); }), "cannot be a name"));
  EXPECT_TRUE(contains(message_of<InputError>([] { require_name("_pi"); }), "is a constant"));
}

/// Two wells of different depth, at angles to the axes, with a saddle between them.
PotentialKeys two_wells() {
  PotentialKeys keys;
  keys.coordinates = {"x", "y"};
  keys.parameters = {{"h", 3}, {"c", 0.5}};
  keys.potential = "h*((x-y)^2/2-1)^2 + (x+y)^2 + c*(x-y)/sqrt(2)";
  return keys;
}

/// The roots of 4 h u (u^2 - 1) + c, where u = (x - y) / sqrt(2).
double root_near(double u) {
  for (int i = 0; i < 50; ++i) u -= (12 * u * (u * u - 1) + 0.5) / (12 * (3 * u * u - 1));
  return u;
}

TEST(Potential, HasAGradientByDifferences) {
  Potential potential(two_wells());
  const std::array place{0.3, -0.8};
  std::array<double, 2> gradient{};
  potential.gradient(place, gradient);
  const double u = (place[0] - place[1]) / std::sqrt(2.0), v = place[0] + place[1];
  const double along = (12 * u * (u * u - 1) + 0.5) / std::sqrt(2.0);
  EXPECT_NEAR(gradient[0], along + 2 * v, 1e-11);
  EXPECT_NEAR(gradient[1], -along + 2 * v, 1e-11);
}

TEST(Potential, ComparesFormulasOfItsGradientWithDifferences) {
  PotentialKeys keys;
  keys.coordinates = {"x", "y"};
  keys.potential = "x^4 + exp(y)";
  keys.gradient = {"4*x^3", "exp(y)"};
  std::size_t coordinate = 7;
  const std::array place{0.7, 0.4};
  EXPECT_LT(Potential(keys).error_of_gradient(place, coordinate), 1e-9);
  keys.gradient = {"4*x^3", "1.001*exp(y)"};
  EXPECT_NEAR(Potential(keys).error_of_gradient(place, coordinate), 0.001 / 2, 5e-4);
  EXPECT_EQ(coordinate, 1U);
}

TEST(Potential, DescendsToTheMinimumOfItsBasin) {
  Potential potential(two_wells());
  for (const double u : {-1.6, -0.9, -0.2, 0.1, 0.6, 1.7})
    for (const double v : {-0.5, 0.0, 0.8}) {
      const double exact = root_near(u < 0.0418 ? -1 : 1);
      const std::array place{u / std::sqrt(2.0) + v / 2, -u / std::sqrt(2.0) + v / 2};
      const Minimum found = potential.minimum_near(place);
      EXPECT_NEAR(found.place[0], exact / std::sqrt(2.0), 1e-9) << u << " " << v;
      EXPECT_NEAR(found.place[1], -exact / std::sqrt(2.0), 1e-9) << u << " " << v;
      EXPECT_NEAR(found.energy, 3 * std::pow(exact * exact - 1, 2) + 0.5 * exact, 1e-12);
    }
}

TEST(Potential, LeavesASaddle) {
  PotentialKeys keys;
  keys.coordinates = {"x", "y"};
  keys.potential = "(x^2-1)^2 + y^2";
  const Minimum found = Potential(keys).minimum_near(std::array{0.0, 0.0});
  EXPECT_NEAR(std::abs(found.place[0]), 1, 1e-9);
  EXPECT_NEAR(found.place[1], 0, 1e-9);
}

TEST(Potential, RefusesADescentWithoutAnIsolatedMinimum) {
  const auto refusal = [](const char* formula) {
    PotentialKeys keys;
    keys.coordinates = {"x", "y"};
    keys.potential = formula;
    return message_of<UnphysicalError>([&] { Potential(keys).minimum_near(std::array{0.9, 0.4}); });
  };
  EXPECT_TRUE(contains(refusal("(x^2+y^2-1)^2"), "not isolated")) << refusal("(x^2+y^2-1)^2");
  EXPECT_TRUE(contains(refusal("x + y^2"), "finds no minimum")) << refusal("x + y^2");
  EXPECT_TRUE(contains(refusal("1"), "flat")) << refusal("1");
}

MotionKeys motion_in(const PotentialKeys& potential) {
  MotionKeys keys;
  keys.potential = potential;
  keys.timestep = 0.01;
  keys.timesteps_of_step = 5;
  return keys;
}

TEST(ParticleStates, AreThoseOfTheirMinima) {
  const Motion motion(motion_in(two_wells()));
  const Configuration left{-0.8, 0.5}, also_left{-0.4, 0.9}, right{0.6, -0.9};
  EXPECT_EQ(motion.state(left), motion.state(also_left));
  EXPECT_NE(motion.state(left), motion.state(right));
  // Equal bits, although descents from both places end in other bits.
  EXPECT_EQ(motion.reference(left), motion.reference(also_left));
  EXPECT_NEAR(motion.reference(right)[0], root_near(1) / std::sqrt(2.0), 1e-9);
}

TEST(ParticleStates, AreThoseOfAFormula) {
  MotionKeys keys = motion_in(two_wells());
  keys.state = "x > y";
  const Motion motion(keys);
  EXPECT_EQ(motion.state(Configuration{0.1, 0.05}), 1U);
  EXPECT_EQ(motion.state(Configuration{0.05, 0.1}), 0U);
  keys.state = "x / 2";
  EXPECT_TRUE(contains(message_of<UnphysicalError>([&] {
                         Motion(keys).state(Configuration{1.0, 0.0});
                       }),
                       "0.5"));
  keys.state = "x > 2";
  EXPECT_TRUE(contains(message_of<UnphysicalError>([&] {
                         Motion(keys).reference(Configuration{2.5, 0.0});
                       }),
                       "in another state"));
}

/// Advances in a harmonic well V = k x^2 / 2 and returns the squares of x.
std::vector<double> squares_in_a_well(MotionKeys keys, double k, Index samples) {
  keys.potential.coordinates = {"x"};
  keys.potential.parameters = {{"k", k}};
  keys.potential.potential = "k*x^2/2";
  keys.potential.gradient = {"k*x"};
  keys.state = "0";
  keys.timesteps_of_step = 40;
  const Motion motion(keys);
  Configuration x(static_cast<std::size_t>(motion.numbers()));
  std::vector<double> squares;
  for (Index i = 0; i < samples; ++i) {
    motion.advance(x, 1, {11, static_cast<std::uint64_t>(i), Stream::segment_noise});
    if (i >= 20) squares.push_back(x[0] * x[0]);
  }
  return squares;
}

void expect_mean(const std::vector<double>& values, double exact) {
  const Estimate found = estimate(values);
  EXPECT_LT(found.error / exact, 0.03);
  EXPECT_NEAR(found.value, exact, 3.5 * found.error);
}

TEST(ParticleMotion, HasTheVarianceOfEulerAndMaruyama) {
  MotionKeys keys;
  keys.diffusion = 0.7;
  keys.thermal_energy = 1.3;
  keys.timestep = 0.05;
  const double k = 4, a = k * keys.diffusion / keys.thermal_energy * keys.timestep;
  // The fixed point of <x^2> -> (1 - a)^2 <x^2> + 2 D dt, which exceeds k_B T / k by a / 2.
  const double exact = 2 * keys.diffusion * keys.timestep / (1 - (1 - a) * (1 - a));
  expect_mean(squares_in_a_well(keys, k, 6000), exact);
}

TEST(ParticleMotion, WithFrictionHasTheExactVarianceOfAHarmonicWell) {
  MotionKeys keys;
  keys.friction = 0.9;
  keys.thermal_energy = 1.3;
  keys.timestep = 0.3;
  expect_mean(squares_in_a_well(keys, 4, 6000), 1.3 / 4);
}

TEST(ParticleMotion, DoesNotDependOnTheCallsThatMakeIt) {
  MotionKeys keys = motion_in(two_wells());
  for (const bool has_friction : {false, true}) {
    if (has_friction) keys.friction = 2;
    const Motion motion(keys);
    Configuration once{-0.7, 0.7}, twice;
    once.resize(static_cast<std::size_t>(motion.numbers()));
    twice = once;
    RandomKey key{3, 0, Stream::segment_noise};
    const parsplice::Advance all = motion.advance(once, 40, key);
    ASSERT_EQ(all.steps, 40) << "choose another seed: the state has changed";
    motion.advance(twice, 13, key);
    key.step = 13;
    motion.advance(twice, 27, key);
    EXPECT_EQ(once, twice);
    Configuration other = twice;
    motion.advance(other, 1, {3, 40, Stream::segment_noise});
    motion.advance(twice, 1, {3, 41, Stream::segment_noise});
    EXPECT_NE(other, twice);
  }
}

}  // namespace larmor::particles_tests
