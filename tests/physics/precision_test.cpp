// Single precision agrees with double precision to the digits of a float. On a GPU, mixed precision
// agrees, too.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>

#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::precision_tests {

using namespace larmor::spins;
using testing_support::fields_of;
using testing_support::HostVectors;
using testing_support::in_precision;
using testing_support::test_device;
using testing_support::TestSystem;

const char* every_form =
    "[lattice]\ntype='square'\nsize=[5,4]\nmoment=[1.3]\n[[exchange]]\nshell=1\nJ=0.7\n"
    "[[dmi]]\nshell=1\nstrength=0.3\ndirection='interface'\n"
    "[[exchange-tensor]]\noffset=[[1,1,0]]\nA=[[0.2,0.1,0],[0,0.3,0.1],[0.1,0,-0.2]]\n"
    "[[biquadratic]]\nshell=1\nb=0.4\n[[anisotropy]]\nK=0.5\nK4=-0.8\nK6=0.6\naxis=[1,2,2]\n"
    "[[random-field]]\nwidth=0.5\nseed=7\n[field]\nB=[0.3,0,0.4]\n";

struct Case {
  const char* name;
  Precision precision;
  Index replicas;

  friend void PrintTo(const Case& tested, std::ostream* out) { *out << tested.name; }
};

class InPrecision : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (GetParam().precision == Precision::mixed_numbers && test_device(1).backend == Backend::cpu)
      GTEST_SKIP() << "mixed precision is for GPUs";
  }
  static TestSystem system_in(Precision precision) {
    return TestSystem(every_form, GetParam().replicas, in_precision(test_device(2), precision));
  }
};

double largest_distance(const SpinState& a, const SpinState& b) {
  double largest = 0;
  for (Index r = 0; r < a.layout().replicas; ++r) {
    const auto x = a.configuration(r), y = b.configuration(r);
    for (std::size_t i = 0; i < x.size(); ++i) largest = std::max(largest, length(x[i] - y[i]));
  }
  return largest;
}

TEST_P(InPrecision, EnergiesAndFieldsAreThoseOfDouble) {
  TestSystem exact = system_in(Precision::double_numbers),
             rounded = system_in(GetParam().precision);
  exact.state.randomise(3);
  rounded.state.randomise(3);
  const auto energy = energy_per_site(exact.model, exact.state),
             energy_rounded = energy_per_site(rounded.model, rounded.state);
  for (std::size_t r = 0; r < energy.size(); ++r) EXPECT_NEAR(energy[r], energy_rounded[r], 1e-6);
  const HostVectors field = fields_of(exact.model, exact.state),
                    field_rounded = fields_of(rounded.model, rounded.state);
  for (Index r = 0; r < GetParam().replicas; ++r)
    for (Index p = 0; p < exact.model.sites(); ++p)
      EXPECT_LT(
          length(field.view.load(ScalarSlot<>{p, r}) - field_rounded.view.load(ScalarSlot<>{p, r})),
          3e-6);
}

TEST_P(InPrecision, EveryIntegratorFollowsDouble) {
  for (const Scheme scheme :
       {Scheme::rk4, Scheme::depondt, Scheme::heun, Scheme::semi_implicit, Scheme::midpoint}) {
    TestSystem exact = system_in(Precision::double_numbers),
               rounded = system_in(GetParam().precision);
    exact.state.randomise(4);
    rounded.state.randomise(4);
    // Both precisions use noise from one set of random words, of which they take 32 and 23 bits.
    const double temperature = scheme == Scheme::rk4 ? 0 : 0.2;
    exact.integrator(scheme, 0.01, 0.2, temperature).run(exact.state, 100);
    rounded.integrator(scheme, 0.01, 0.2, temperature).run(rounded.state, 100);
    EXPECT_LT(largest_distance(exact.state, rounded.state), 2e-4) << static_cast<int>(scheme);
    for (const Vec3<double>& e : rounded.state.configuration(GetParam().replicas - 1))
      EXPECT_NEAR(length(e), 1, 1e-6);
  }
}

TEST_P(InPrecision, DipolesByFftAreThoseOfDouble) {
  for (const char* lattice :
       {"[lattice]\ntype='sc'\nsize=[5,4,3]\n", "[lattice]\ntype='diamond'\nsize=[3,2,4]\n",
        "[lattice]\ntype='kagome'\nsize=[4,5]\nperiodic=false\nmoment=[1.3]\n"}) {
    const std::string text =
        lattice +
        std::string("[[exchange]]\nshell=1\nJ=0.5\n[dipolar]\nstrength=0.3\nmethod='fft'\n");
    TestSystem exact(text, GetParam().replicas,
                     in_precision(test_device(2), Precision::double_numbers));
    TestSystem rounded(text, GetParam().replicas,
                       in_precision(test_device(2), GetParam().precision));
    for (TestSystem* system : {&exact, &rounded}) system->state.randomise(3);
    const HostVectors field = fields_of(exact.model, exact.state),
                      field_rounded = fields_of(rounded.model, rounded.state);
    for (Index r = 0; r < GetParam().replicas; ++r)
      for (Index p = 0; p < exact.model.sites(); ++p)
        EXPECT_LT(length(field.view.load(ScalarSlot<>{p, r}) -
                         field_rounded.view.load(ScalarSlot<>{p, r})),
                  1e-5);
    for (TestSystem* system : {&exact, &rounded})
      system->integrator(Scheme::depondt, 0.01, 0.2, 0.1).run(system->state, 100);
    EXPECT_LT(largest_distance(exact.state, rounded.state), 2e-4);
  }
}

TEST_P(InPrecision, SamplersKeepTheLengthOfSpins) {
  for (const Update update : {Update::metropolis, Update::heat_bath, Update::over_relaxation}) {
    TestSystem system = system_in(GetParam().precision);
    system.state.randomise(5);
    SamplerSettings settings;
    settings.update = update;
    Sampler sampler = system.sampler(settings, 0.3, 6);
    for (int n = 0; n < 50; ++n) sampler.tune(system.state, 10);
    for (const Vec3<double>& e : system.state.configuration(0)) EXPECT_NEAR(length(e), 1, 1e-6);
    EXPECT_GT(sampler.acceptance()[0], 0.1);
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, InPrecision,
                         testing::Values(Case{"single_x1", Precision::single_numbers, 1},
                                         Case{"single_x11", Precision::single_numbers, 11},
                                         Case{"mixed_x1", Precision::mixed_numbers, 1},
                                         Case{"mixed_x11", Precision::mixed_numbers, 11}),
                         testing_support::by_name);

TEST(SinglePrecision, SameBitsForAnyNumberOfThreads) {
  std::vector<std::vector<double>> states;
  for (const int threads : {1, 2, 5}) {
    TestSystem system("[lattice]\ntype='sc'\nsize=[8,8,8]\n[[exchange]]\nshell=1\nJ=1\n", 3,
                      in_precision(test_device(threads), Precision::single_numbers));
    system.state.randomise(1);
    system.sampler({}, 1.5, 2).run(system.state, 20);
    system.integrator(Scheme::depondt, 0.01, 0.1, 1.5).run(system.state, 20);
    states.push_back(system.state.save());
  }
  EXPECT_EQ(states[0], states[1]);
  EXPECT_EQ(states[0], states[2]);
}

}  // namespace larmor::precision_tests
