// Correlations of pairs of sites in time, compared with direct loops over pairs, replicas and lags.
// Rooms: correlations

#include "larmor/correlations/spectra/pair_correlations_in_time.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "larmor/core/error.hpp"
#include "test_system.hpp"
#include "tests/named.hpp"

namespace larmor::pair_correlations_in_time_tests {

using namespace larmor::correlations;
using namespace larmor::correlations::real_space;
using testing_support::TestSystem;

constexpr const char* kagome =
    "[lattice]\ntype='kagome'\nsize=[4,3]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.5]\n";
constexpr const char* cluster =
    "[lattice]\ntype='bcc'\nsize=[2,3,2]\nperiodic=false\n[[exchange]]\nshell=1\nJ=-1\n";
constexpr const char* alloy =
    "[lattice]\ntype='square'\nsize=[5,4]\nperiodic=[true,false]\n[[alloy]]\nby='Co'\n"
    "fraction=0.3\nmoment=1\n[[alloy]]\nby='vacancy'\nfraction=0.2\nspecies='A'\n[[exchange]]\n"
    "shell=1\nJ=1\n";

PairsInTimeSettings everything(const TestSystem& system, bool connected) {
  PairsInTimeSettings settings;
  settings.bins = 5;
  settings.width = 0.4;
  settings.displacement = displacement_bins(system.geometry, std::nullopt);
  for (Index site = 0; site < system.geometry.sites(); ++site) {
    const bool there = system.geometry.occupied(site) && site % 5 != 3;
    settings.group.push_back(there ? static_cast<std::int32_t>(site % 2) : -1);
  }
  settings.groups = 2;
  settings.interval = 0.1;
  settings.samples = 5;
  settings.connected = connected;
  return settings;
}

using Configurations = std::vector<std::vector<Vec3<double>>>;  // [replica][site]

Configurations configurations_of(const TestSystem& system) {
  Configurations all;
  for (Index replica = 0; replica < system.replicas(); ++replica)
    all.push_back(system.state.configuration(replica));
  return all;
}

/// Adds samples of the dynamics, which starts from the present state. @return the configurations of
/// the samples
std::vector<Configurations> follow(TestSystem& system, PairCorrelationsInTime& pairs,
                                   Index samples) {
  spins::Integrator integrator = system.integrator(spins::Scheme::rk4, 0.02);
  std::vector<Configurations> found;
  for (Index n = 0; n < samples; ++n) {
    found.push_back(configurations_of(system));
    pairs.add(system.state);
    integrator.run(system.state, 5);
  }
  return found;
}

/// C(r,r',t) pair by pair, with some replicas left out.
double correlation(const std::vector<Configurations>& spins, std::size_t t, std::size_t r,
                   std::size_t s, bool connected, const LeftOut& left_out) {
  double sum = 0, kept = 0;
  Vec3<double> then{0, 0, 0}, now{0, 0, 0};
  for (std::size_t m = 0; m < spins[0].size(); ++m) {
    if (left_out.holds(static_cast<Index>(m))) continue;
    sum += dot(spins[0][m][r], spins[t][m][s]);
    then = then + spins[0][m][r];
    now = now + spins[t][m][s];
    kept += 1;
  }
  return connected ? (sum - dot(then, now) / kept) / (kept - 1) : sum / kept;
}

/// The bin of all displacements from site r to site s.
std::size_t displacement(const lattice::Geometry& geometry, const DisplacementBins& bins, Index r,
                         Index s) {
  const lattice::SiteIndex from = geometry.decode(r), to = geometry.decode(s);
  Index bin = from.basis * bins.atoms + to.basis;
  for (std::size_t d = 0; d < 3; ++d) {
    Index step = to.cell[d] - from.cell[d];
    if (geometry.periodic[d])
      while (step < bins.least[d] || step >= bins.least[d] + bins.count[d])
        step += step < bins.least[d] ? geometry.size[d] : -geometry.size[d];
    bin = bin * bins.count[d] + step - bins.least[d];
  }
  return static_cast<std::size_t>(bin);
}

/// Means by displacement and between groups, [T][bin], and means for the reversed pairs.
struct Direct {
  std::vector<std::vector<double>> displaced, turned, groups, turned_groups;

  Direct(const TestSystem& system, const PairsInTimeSettings& s,
         const std::vector<Configurations>& spins, const LeftOut& left_out) {
    const auto& geometry = system.geometry;
    const auto B = static_cast<std::size_t>(s.displacement->bins());
    const auto G = static_cast<std::size_t>(s.groups), N = std::size_t(geometry.sites());
    for (std::size_t t = 0; t < spins.size(); ++t) {
      std::vector<double> sum(B), back(B), count(B), of(G * G), back_of(G * G), count_of(G * G);
      for (std::size_t r = 0; r < N; ++r)
        for (std::size_t q = 0; q < N; ++q) {
          if (!geometry.occupied(Index(r)) || !geometry.occupied(Index(q))) continue;
          const double c = correlation(spins, t, r, q, s.connected, left_out);
          const double reversed = correlation(spins, t, q, r, s.connected, left_out);
          const std::size_t n = displacement(geometry, *s.displacement, Index(r), Index(q));
          sum[n] += c, back[n] += reversed, count[n] += 1;
          if (s.group[r] < 0 || s.group[q] < 0) continue;
          const std::size_t g = std::size_t(s.group[r]) * G + std::size_t(s.group[q]);
          of[g] += c, back_of[g] += reversed, count_of[g] += 1;
        }
      for (std::size_t n = 0; n < B; ++n) sum[n] /= count[n], back[n] /= count[n];
      for (std::size_t g = 0; g < G * G; ++g) of[g] /= count_of[g], back_of[g] /= count_of[g];
      displaced.push_back(sum), turned.push_back(back);
      groups.push_back(of), turned_groups.push_back(back_of);
    }
  }
};

std::complex<double> transformed(const std::vector<std::vector<double>>& forward,
                                 const std::vector<std::vector<double>>& turned, std::size_t bin,
                                 double frequency, double interval) {
  using namespace std::complex_literals;
  const auto T = static_cast<double>(forward.size());
  std::complex<double> sum = interval * forward[0][bin];
  for (std::size_t l = 1; l < forward.size(); ++l) {
    const double t = interval * static_cast<double>(l);
    const double weight = 0.5 + 0.5 * std::cos(std::numbers::pi * static_cast<double>(l) / T);
    sum += interval * weight *
           (forward[l][bin] * std::exp(1i * frequency * t) +
            turned[l][bin] * std::exp(-1i * frequency * t));
  }
  return sum;
}

void expect_same(double found, double wanted, double bound) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(found));
  } else {
    EXPECT_NEAR(found, wanted, bound);
  }
}

void expect_bins(const PairsInTimeResult& result, const BinsInTime& bins,
                 const std::vector<std::vector<double>>& forward,
                 const std::vector<std::vector<double>>& turned, double interval, double bound) {
  const std::size_t B = forward[0].size();
  ASSERT_EQ(bins.mean.size(), B * forward.size());
  for (std::size_t n = 0; n < bins.mean.size(); ++n)
    expect_same(bins.mean[n], forward[n / B][n % B], bound);
  for (std::size_t n = 0; n < bins.spectrum.size(); ++n) {
    const auto wanted = transformed(forward, turned, n % B, result.frequency[n / B], interval);
    expect_same(bins.spectrum[n].real(), wanted.real(), bound);
    expect_same(bins.spectrum[n].imag(), wanted.imag(), bound);
  }
}

class PairsInTimeOfSystem : public testing::TestWithParam<testing_support::CorrelatedSystem> {};

TEST_P(PairsInTimeOfSystem, AreThoseOfLoops) {
  const auto& [named, replicas, connected] = GetParam();
  const char* text = named.value;
  TestSystem probe(text, replicas, 2);
  std::vector<std::pair<PairPrecision, double>> bounds{{PairPrecision::full, 1e-12}};
  if (probe.state.device().backend == Backend::cuda) {
    bounds.emplace_back(PairPrecision::tf32x3, 1e-5);
    bounds.emplace_back(PairPrecision::half_split, 1e-5);
  }
  for (const auto& [precision, bound] : bounds) {
    TestSystem system(text, replicas, 2);
    system.state.randomise(23);
    PairsInTimeSettings settings = everything(system, connected);
    settings.precision = precision;
    PairCorrelationsInTime pairs(system.geometry, settings, replicas);
    const auto spins = follow(system, pairs, settings.samples);
    const PairsInTimeResult result = pairs.finish(2);
    const Direct direct(system, settings, spins, {});
    expect_bins(result, result.displacement, direct.displaced, direct.turned, settings.interval,
                bound);
    expect_bins(result, result.groups, direct.groups, direct.turned_groups, settings.interval,
                bound);
    // The mean over all sites of each site with itself.
    double own = 0;
    const auto N = static_cast<std::size_t>(system.geometry.sites());
    for (std::size_t r = 0; r < N; ++r)
      if (system.geometry.occupied(Index(r))) own += correlation(spins, 3, r, r, connected, {});
    const auto occupied = static_cast<double>(system.geometry.spins());
    EXPECT_EQ(result.distance.pairs[0], occupied);
    EXPECT_NEAR(result.distance.mean[3 * 5], own / occupied, bound);
    EXPECT_TRUE(result.displacement.error.empty());
  }
}

TEST_P(PairsInTimeOfSystem, ErrorsAreThoseOfAJackknifeOverReplicas) {
  const auto& [named, replicas, connected] = GetParam();
  const char* text = named.value;
  TestSystem system(text, replicas, 2);
  system.state.randomise(5);
  PairsInTimeSettings settings = everything(system, connected);
  settings.error_blocks = replicas;
  PairCorrelationsInTime pairs(system.geometry, settings, replicas);
  const auto spins = follow(system, pairs, settings.samples);
  const PairsInTimeResult result = pairs.finish(2);
  const bool known = !connected || replicas > 2;
  EXPECT_EQ(result.error_blocks, known ? replicas : 0);
  ASSERT_EQ(result.groups.error.empty(), !known);
  if (!known) return;
  const std::size_t B = 4;
  for (std::size_t n = 0; n < result.groups.error.size(); ++n) {
    double mean = 0, squares = 0;
    std::vector<double> left;
    for (Index m = 0; m < replicas; ++m)
      left.push_back(Direct(system, settings, spins, {m, 1}).groups[n / B][n % B]);
    for (const double x : left) mean += x / static_cast<double>(replicas);
    for (const double x : left) squares += (x - mean) * (x - mean);
    const double scale = static_cast<double>(replicas - 1) / static_cast<double>(replicas);
    EXPECT_NEAR(result.groups.error[n], std::sqrt(scale * squares), 1e-12);
  }
}

using System = testing_support::Named<const char*>;
INSTANTIATE_TEST_SUITE_P(Systems, PairsInTimeOfSystem,
                         testing::Combine(testing::Values(System{"kagome", kagome},
                                                          System{"cluster", cluster},
                                                          System{"alloy", alloy}),
                                          testing::Values<Index>(2, 5), testing::Bool()),
                         testing_support::by_system);

TEST(PairsInTime, GoOnFromWhatWasSaved) {
  for (const Index blocks : {0, 3}) {
    std::vector<PairsInTimeResult> results;
    for (const bool interrupted : {false, true}) {
      TestSystem system(kagome, 6, 2);
      system.state.randomise(5);
      PairsInTimeSettings settings = everything(system, true);
      settings.error_blocks = blocks;
      spins::Integrator integrator = system.integrator(spins::Scheme::rk4, 0.02);
      auto pairs = std::make_unique<PairCorrelationsInTime>(system.geometry, settings, 6);
      for (Index n = 0; n < settings.samples; ++n) {
        if (interrupted) {
          const std::vector<double> saved = pairs->save();
          pairs = std::make_unique<PairCorrelationsInTime>(system.geometry, settings, 6);
          pairs->load(saved);
          EXPECT_EQ(pairs->save(), saved);
        }
        pairs->add(system.state);
        integrator.run(system.state, 5);
      }
      EXPECT_THROW(pairs->add(system.state), InternalError);
      results.push_back(pairs->finish(1));
    }
    EXPECT_EQ(results[0].displacement.mean, results[1].displacement.mean);
    EXPECT_EQ(results[0].displacement.spectrum, results[1].displacement.spectrum);
    EXPECT_EQ(results[0].distance.error, results[1].distance.error);
    EXPECT_EQ(results[0].distance.pairs, results[1].distance.pairs);
  }
}

TEST(PairsInTime, RefuseTheCheckpointOfAnotherStudy) {
  TestSystem system(kagome, 4, 1);
  system.state.randomise(5);
  const PairsInTimeSettings settings = everything(system, false);
  PairCorrelationsInTime pairs(system.geometry, settings, 4);
  EXPECT_THROW(pairs.load({}), InputError);
  EXPECT_THROW(pairs.finish(1), InternalError);
  pairs.add(system.state);
  PairsInTimeSettings other = settings;
  other.bins = 7;
  EXPECT_THROW(PairCorrelationsInTime(system.geometry, other, 4).load(pairs.save()), InputError);
}

TEST(PairsInTime, OfOneReplicaHaveNoConnectedPart) {
  const TestSystem system(kagome, 1, 1);
  EXPECT_THROW(PairCorrelationsInTime(system.geometry, everything(system, true), 1), InputError);
  EXPECT_NO_THROW(PairCorrelationsInTime(system.geometry, everything(system, false), 1));
}

}  // namespace larmor::pair_correlations_in_time_tests
