// S(q,t) computed from C(r,r',t) equals S(q,t) computed from amplitudes.
// Rooms: correlations

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "larmor/core/error.hpp"
#include "larmor/correlations/spectra/correlator.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::real_space_spectrum_tests {

using namespace larmor::correlations;
using namespace larmor::spins;
using real_space::PairPrecision;
using testing_support::TestSystem;

constexpr const char* kagome =
    "[lattice]\ntype='kagome'\nsize=[5,4]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.5]\n";
constexpr const char* cluster =
    "[lattice]\ntype='sc'\nsize=[3,5,4]\nperiodic=false\n[[exchange]]\nshell=1\nJ=-1\n";

StructureFactorSettings settings_of(const TestSystem& system, correlations::Method method,
                                    bool connected) {
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

/// Correlates `samples` of a trajectory that starts at the present state.
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

class RealSpace : public testing::TestWithParam<testing_support::CorrelatedSystem> {};

TEST_P(RealSpace, StructureFactorIsThatOfAmplitudes) {
  const auto& [named, replicas, connected] = GetParam();
  const char* text = named.value;
  const TestSystem system(text, replicas, 2);
  const auto wanted =
      correlate(text, replicas, settings_of(system, correlations::Method::factorised, connected));
  std::vector<std::pair<PairPrecision, double>> bounds{{PairPrecision::full, 1e-11}};
  if (system.state.device().backend == Backend::cuda) {
    bounds.emplace_back(PairPrecision::tf32x3, 1e-5);
    bounds.emplace_back(PairPrecision::half_split, 1e-5);
  }
  for (const auto& [precision, bound] : bounds) {
    StructureFactorSettings settings =
        settings_of(system, correlations::Method::real_space, connected);
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

using System = testing_support::Named<const char*>;
INSTANTIATE_TEST_SUITE_P(Systems, RealSpace,
                         testing::Combine(testing::Values(System{"kagome", kagome},
                                                          System{"cluster", cluster}),
                                          testing::Values<Index>(2, 5, 12), testing::Bool()),
                         testing_support::by_system);

TEST_P(RealSpace, ComponentsAndErrorsAreThoseOfAmplitudes) {
  const auto& [named, replicas, connected] = GetParam();
  const char* text = named.value;
  const TestSystem system(text, replicas, 2);
  const auto wanted =
      correlate(text, replicas, settings_of(system, correlations::Method::factorised, connected));
  StructureFactorSettings settings =
      settings_of(system, correlations::Method::real_space, connected);
  settings.components = true;
  settings.error_blocks = replicas;  // blocks of one replica, as for amplitudes
  const auto found = correlate(text, replicas, settings);
  double largest = 0;
  for (const double s : wanted.intensity) largest = std::max(largest, std::abs(s));
  const auto expect_near = [&](const std::vector<double>& numbers,
                               const std::vector<double>& expected) {
    ASSERT_EQ(numbers.size(), expected.size());
    for (std::size_t n = 0; n < numbers.size(); ++n) {
      if (std::isnan(expected[n])) {
        EXPECT_TRUE(std::isnan(numbers[n])) << n;
      } else {
        EXPECT_NEAR(numbers[n], expected[n], 1e-11 * largest) << n;
      }
    }
  };
  expect_near(found.components, wanted.components);
  expect_near(found.intensity, wanted.intensity);
  expect_near(found.error, wanted.error);
  expect_near(found.intermediate_error, wanted.intermediate_error);
  EXPECT_EQ(std::isnan(found.error[0]), connected && replicas == 2);
  for (std::size_t q = 0; q < found.static_error.size(); ++q)
    expect_near({found.static_error[q]},
                {wanted.intermediate_error[q * static_cast<std::size_t>(settings.samples)]});
  EXPECT_LT(found.precision_error.value(), 1e-12);
}

/// The sum over a of A_a(q) conj A_a(q) of every replica at the first sample. If connected, the
/// mean is subtracted.
std::vector<double> equal_time_products(const TestSystem& system, const Vec3<double>& q,
                                        bool connected) {
  using Amplitude = std::array<std::complex<double>, 3>;
  std::vector<Amplitude> amplitudes;
  Amplitude mean{};
  for (Index m = 0; m < system.replicas(); ++m) {
    Amplitude& a = amplitudes.emplace_back();
    const auto spins = system.state.configuration(m);
    for (Index r = 0; r < system.geometry.sites(); ++r) {
      const Vec3<double>& e = spins[static_cast<std::size_t>(r)];
      const auto phase = std::polar(1.0, -dot(q, system.geometry.position(r)));
      a = {a[0] + phase * e.x, a[1] + phase * e.y, a[2] + phase * e.z};
    }
    for (std::size_t n = 0; connected && n < 3; ++n)
      mean[n] += a[n] / static_cast<double>(system.replicas());
  }
  std::vector<double> products;
  for (const Amplitude& a : amplitudes) {
    products.push_back(0);
    for (std::size_t n = 0; n < 3; ++n) products.back() += std::norm(a[n] - mean[n]);
  }
  return products;
}

TEST(RealSpaceCorrelator, HasErrorsFromBlocksOfReplicas) {
  // The five replicas are in blocks of 2 and 3, or of 1, 2 and 2.
  TestSystem system(kagome, 5, 2);
  for (const bool connected : {false, true})
    for (const Index blocks : {2, 3}) {
      StructureFactorSettings settings =
          settings_of(system, correlations::Method::real_space, connected);
      settings.samples = 1;
      settings.error_blocks = blocks;
      const auto found = correlate(kagome, 5, settings);
      system.state.randomise(17);
      for (Index q = 0; q < settings.q.size(); ++q) {
        const auto products = equal_time_products(
            system, settings.q.cartesian[static_cast<std::size_t>(q)], connected);
        double all = 0, mean = 0, squares = 0;
        for (const double p : products) all += p;
        std::vector<double> left;
        for (Index b = 0; b < blocks; ++b) {
          const Index first = b * 5 / blocks, last = (b + 1) * 5 / blocks;
          const auto kept = static_cast<double>(5 - (last - first));
          double own = 0;
          for (Index m = first; m < last; ++m) own += products[static_cast<std::size_t>(m)];
          left.push_back((all - (connected ? 1 + 1 / kept : 1) * own) /
                         (connected ? kept - 1 : kept) / double(system.geometry.sites()));
        }
        for (const double x : left) mean += x / double(blocks);
        for (const double x : left) squares += (x - mean) * (x - mean);
        EXPECT_NEAR(found.static_error[static_cast<std::size_t>(q)],
                    std::sqrt(double(blocks - 1) / double(blocks) * squares), 1e-11);
      }
    }
}

TEST(RealSpaceCorrelator, OfOneReplicaIsPlain) {
  const TestSystem system(cluster, 1, 2);
  const auto wanted =
      correlate(cluster, 1, settings_of(system, correlations::Method::factorised, false));
  const auto found =
      correlate(cluster, 1, settings_of(system, correlations::Method::real_space, false));
  for (std::size_t n = 0; n < wanted.intermediate.size(); ++n)
    EXPECT_NEAR(std::abs(found.intermediate[n] - wanted.intermediate[n]), 0, 1e-9);
}

class RealSpaceCheckpoint : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Slices, RealSpaceCheckpoint, testing::Bool());

TEST_P(RealSpaceCheckpoint, GoesOnWithTheSameBits) {
  TestSystem system(kagome, 5, 2);
  StructureFactorSettings settings = settings_of(system, correlations::Method::real_space, true);
  settings.components = GetParam();
  settings.error_blocks = GetParam() ? 3 : 0;
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
  EXPECT_EQ(resumed.components, whole.components);
  if (GetParam()) {
    EXPECT_EQ(resumed.error, whole.error);
  }
  std::vector<double> cut = first->save();
  cut.erase(cut.begin());
  EXPECT_THROW(second->load(cut), InputError);
}

TEST(RealSpaceCorrelator, FindsTheErrorOfItsProducts) {
  const StructureFactorSettings settings =
      settings_of(TestSystem(kagome, 5, 2), correlations::Method::real_space, true);
  TestSystem system(kagome, 5, 2);
  system.state.randomise(17);
  const auto correlator = make_correlator(system.geometry, settings, 5);
  follow(system, *correlator, settings.samples);
  std::vector<double> saved = correlator->save();
  // This is S(q) of the second wave vector at equal times.
  saved[2] *= 1 + 3e-5;
  correlator->load(saved);
  EXPECT_NEAR(correlator->finish(1).precision_error.value(), 3e-5, 1e-9);
}

TEST(RealSpaceCorrelator, RefusesWhatItCannotDo) {
  const TestSystem system(kagome, 5, 2);
  StructureFactorSettings settings = settings_of(system, correlations::Method::real_space, true);
  EXPECT_THROW(make_correlator(system.geometry, settings, 1), InputError);
  settings.origins = correlations::Origins::all;
  EXPECT_THROW(make_correlator(system.geometry, settings, 5), InputError);
}

}  // namespace larmor::real_space_spectrum_tests
