// S(q,t) by way of C(r,r',t) is what amplitudes give.

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/correlations/correlator.hpp"
#include "test_system.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using namespace larmor::spins;
using real_space::PairPrecision;
using testing_support::TestSystem;

constexpr const char* kagome =
    "[lattice]\ntype='kagome'\nsize=[5,4]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.5]\n";
constexpr const char* cluster =
    "[lattice]\ntype='sc'\nsize=[3,5,4]\nperiodic=false\n[[exchange]]\nshell=1\nJ=-1\n";

StructureFactorSettings settings_of(const TestSystem& system, Method method, bool connected) {
  StructureFactorSettings settings;
  settings.q =
      q_explicit(system.geometry,
                 {{0.2, 0, 0}, {0.4, 0.25, 0}, {-0.2, 0.5, 0}, {0.137, 0.21, 0.4}, {0, 0, 0}});
  settings.method = method;
  settings.interval = 0.1;
  settings.samples = 6;
  settings.connected = connected;
  return settings;
}

/// Correlates `samples` of a trajectory from where the system is.
void follow(TestSystem& system, Correlator& correlator, Index samples) {
  Integrator integrator = system.integrator(Scheme::rk4, 0.02);
  for (Index n = 0; n < samples; ++n) {
    correlator.add(system.state);
    integrator.run(system.state, 5);
  }
}

StructureFactorResult correlate(const char* text, Index replicas,
                                const StructureFactorSettings& settings) {
  TestSystem system(text, replicas, 2);
  system.state.randomise(17);
  const auto correlator = make_correlator(system.geometry, settings, replicas);
  follow(system, *correlator, settings.samples);
  return correlator->finish(2);
}

class RealSpace : public testing::TestWithParam<std::tuple<const char*, Index, bool>> {};

TEST_P(RealSpace, StructureFactorIsThatOfAmplitudes) {
  const auto [text, replicas, connected] = GetParam();
  const TestSystem system(text, replicas, 2);
  const auto wanted = correlate(text, replicas, settings_of(system, Method::factorised, connected));
  std::vector<std::pair<PairPrecision, double>> bounds{{PairPrecision::full, 1e-11}};
  if (system.state.device().backend == Backend::cuda) {
    bounds.emplace_back(PairPrecision::tf32x3, 1e-5);
    bounds.emplace_back(PairPrecision::half_split, 1e-5);
  }
  for (const auto& [precision, bound] : bounds) {
    StructureFactorSettings settings = settings_of(system, Method::real_space, connected);
    settings.pair_precision = precision;
    const auto found = correlate(text, replicas, settings);
    ASSERT_EQ(found.intermediate.size(), wanted.intermediate.size());
    double largest = 0;
    for (const auto& s : wanted.intermediate) largest = std::max(largest, std::abs(s));
    for (std::size_t n = 0; n < wanted.intermediate.size(); ++n)
      EXPECT_NEAR(std::abs(found.intermediate[n] - wanted.intermediate[n]), 0, bound * largest);
    ASSERT_EQ(found.frequency, wanted.frequency);
    ASSERT_TRUE(found.precision_error && !wanted.precision_error);
    EXPECT_LT(*found.precision_error, precision == PairPrecision::full ? 1e-12 : 1e-5);
    if (precision != PairPrecision::full) {
      EXPECT_GT(*found.precision_error, 1e-10);
    }
    for (std::size_t n = 0; n < wanted.intensity.size(); ++n)
      EXPECT_NEAR(found.intensity[n], wanted.intensity[n], 10 * bound * largest);
    for (std::size_t q = 0; q < found.static_value.size(); ++q)
      EXPECT_EQ(found.static_value[q],
                found.intermediate[q * static_cast<std::size_t>(settings.samples)].real());
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, RealSpace,
                         testing::Combine(testing::Values(kagome, cluster),
                                          testing::Values<Index>(2, 5, 12), testing::Bool()));

TEST(RealSpaceCorrelator, OfOneReplicaIsPlain) {
  const TestSystem system(cluster, 1, 2);
  const auto wanted = correlate(cluster, 1, settings_of(system, Method::factorised, false));
  const auto found = correlate(cluster, 1, settings_of(system, Method::real_space, false));
  for (std::size_t n = 0; n < wanted.intermediate.size(); ++n)
    EXPECT_NEAR(std::abs(found.intermediate[n] - wanted.intermediate[n]), 0, 1e-9);
}

TEST(RealSpaceCorrelator, GoesOnFromACheckpointWithTheSameBits) {
  TestSystem system(kagome, 5, 2);
  const StructureFactorSettings settings = settings_of(system, Method::real_space, true);
  const auto whole = correlate(kagome, 5, settings);
  system.state.randomise(17);
  const auto first = make_correlator(system.geometry, settings, 5);
  follow(system, *first, 2);
  const auto second = make_correlator(system.geometry, settings, 5);
  second->load(first->save());
  EXPECT_EQ(second->samples_added(), 2);
  follow(system, *second, settings.samples - 2);
  const auto resumed = second->finish(1);
  EXPECT_EQ(resumed.intermediate, whole.intermediate);
  EXPECT_EQ(resumed.precision_error, whole.precision_error);
  std::vector<double> cut = first->save();
  cut.erase(cut.begin());
  EXPECT_THROW(second->load(cut), InputError);
}

TEST(RealSpaceCorrelator, FindsTheErrorOfItsProducts) {
  const StructureFactorSettings settings =
      settings_of(TestSystem(kagome, 5, 2), Method::real_space, true);
  TestSystem system(kagome, 5, 2);
  system.state.randomise(17);
  const auto correlator = make_correlator(system.geometry, settings, 5);
  follow(system, *correlator, settings.samples);
  std::vector<double> saved = correlator->save();
  // S(q) of the second wave vector at equal times.
  saved[2] *= 1 + 3e-5;
  correlator->load(saved);
  EXPECT_NEAR(correlator->finish(1).precision_error.value(), 3e-5, 1e-9);
}

TEST(RealSpaceCorrelator, RefusesWhatItCannotDo) {
  const TestSystem system(kagome, 5, 2);
  StructureFactorSettings settings = settings_of(system, Method::real_space, true);
  EXPECT_THROW(make_correlator(system.geometry, settings, 1), InputError);
  settings.all_origins = true;
  EXPECT_THROW(make_correlator(system.geometry, settings, 5), InputError);
}

}  // namespace
