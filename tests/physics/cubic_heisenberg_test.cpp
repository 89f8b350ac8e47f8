// The simple-cubic classical Heisenberg ferromagnet: samplers agree, and the Binder cumulants of
// two sizes cross at the known transition, beta_c = 0.6930 (Chen, Ferrenberg, Landau, Phys. Rev. B
// 48 (1993) 3249).
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "larmor/core/statistics/statistics.hpp"
#include "test_system.hpp"

namespace larmor::cubic_heisenberg_tests {

using namespace larmor::spins;
using testing_support::sampler_settings;
using testing_support::TestSystem;

std::string cubic(int length) {
  const std::string l = std::to_string(length);
  return "[lattice]\ntype='sc'\nsize=[" + l + "," + l + "," + l + "]\n[[exchange]]\nshell=1\nJ=1\n";
}

struct Sampled {
  std::vector<double> energy, m2, m4, m;
  Index replicas;
};

Sampled sample(TestSystem& system, const SamplerSettings& settings, double beta, int thermalise,
               int samples, int sweeps_between, std::uint64_t seed) {
  Sampler sampler = system.sampler(settings, 1 / beta, seed);
  system.state.randomise(seed);
  for (int round = 0; round < thermalise / 10; ++round) sampler.tune(system.state, 10);
  Sampled result;
  result.replicas = system.replicas();
  for (int n = 0; n < samples; ++n) {
    sampler.run(system.state, sweeps_between);
    const auto e = energy_per_site(system.model, system.state);
    result.energy.insert(result.energy.end(), e.begin(), e.end());
    for (const Vec3<double>& v : magnetisation_per_site(system.model, system.state)) {
      const double m2 = dot(v, v);
      result.m.push_back(std::sqrt(m2));
      result.m2.push_back(m2);
      result.m4.push_back(m2 * m2);
    }
  }
  return result;
}

TEST(CubicHeisenbergInDepth, HeatBathMetropolisAndMixedRunsAgreeWithinThreeSigmas) {
  const SamplerSettings kinds[] = {sampler_settings(Update::heat_bath, true, 0),
                                   sampler_settings(Update::metropolis, true, 0),
                                   sampler_settings(Update::heat_bath, true, 3)};
  for (const double beta : {0.6, 0.693, 0.8}) {
    std::vector<Estimate> energy, magnetisation;
    for (std::size_t k = 0; k < std::size(kinds); ++k) {
      TestSystem system(cubic(8), 32, 2);
      const Sampled s = sample(system, kinds[k], beta, 400, 1500, 2, 1000 + k);
      energy.push_back(estimate_replicas(s.energy, s.replicas));
      magnetisation.push_back(estimate_replicas(s.m, s.replicas));
    }
    const auto expect_equal = [&](const std::vector<Estimate>& e, const char* what) {
      for (std::size_t a = 0; a < e.size(); ++a)
        for (std::size_t b = 0; b < a; ++b)
          EXPECT_LT(std::abs(e[a].value - e[b].value), 3 * std::hypot(e[a].error, e[b].error))
              << what << " at beta " << beta << ", samplers " << a << " and " << b;
      EXPECT_LT(e[0].error / std::abs(e[0].value), 0.01) << what << " is too coarse";
    };
    expect_equal(energy, "energy");
    expect_equal(magnetisation, "magnetisation");
  }
}

TEST(CubicHeisenbergInDepth, BinderCumulantsCrossAtTheTransition) {
  const std::vector<double> betas{0.683, 0.693, 0.703};
  const auto binder = [&](int length, Index replicas, int samples) {
    std::vector<double> u;
    for (const double beta : betas) {
      TestSystem system(cubic(length), replicas, 2);
      const Sampled s =
          sample(system, sampler_settings(Update::heat_bath, true, 3), beta, 300, samples, 2, 77);
      u.push_back(jackknife({s.m2, s.m4}, s.replicas, [](std::span<const double> x) {
                    return 1 - x[1] / (3 * x[0] * x[0]);
                  }).value);
    }
    return u;
  };
  const std::vector<double> small = binder(8, 64, 1000), large = binder(16, 16, 1500);
  // In this range the difference is linear. Its least-squares line crosses zero at the transition.
  double mean_beta = 0, mean_difference = 0, slope = 0, norm = 0;
  for (std::size_t i = 0; i < betas.size(); ++i) {
    mean_beta += betas[i] / 3;
    mean_difference += (large[i] - small[i]) / 3;
  }
  for (std::size_t i = 0; i < betas.size(); ++i) {
    slope += (betas[i] - mean_beta) * (large[i] - small[i] - mean_difference);
    norm += (betas[i] - mean_beta) * (betas[i] - mean_beta);
  }
  slope /= norm;
  EXPECT_GT(slope, 1) << "the curves hardly cross";
  EXPECT_NEAR(mean_beta - mean_difference / slope, 0.693, 0.005);
}

TEST(Sampler, SameBitsForAnyNumberOfThreads) {
  for (const Index replicas : {Index{1}, Index{8}, Index{20}}) {
    std::vector<std::vector<double>> states;
    for (const int threads : {1, 2, 7}) {
      TestSystem system(cubic(6), replicas, threads);
      sample(system, sampler_settings(Update::metropolis, true, 1), 0.7, 50, 5, 3, 5);
      states.push_back(system.state.save());
    }
    EXPECT_EQ(states[0], states[1]) << replicas << " replicas";
    EXPECT_EQ(states[0], states[2]) << replicas << " replicas";
  }
}

TEST(Sampler, ConesAreTunedToTheTargetAcceptanceAndKeptAboveTwentyPercent) {
  TestSystem system(cubic(6), 9);
  Sampler sampler = system.sampler(sampler_settings(Update::metropolis, true, 0), 0.01, 3);
  system.state.randomise(3);
  bool enough = false;
  for (int round = 0; round < 60; ++round) enough = sampler.tune(system.state, 10);
  EXPECT_TRUE(enough);
  sampler.reset_acceptance();
  sampler.run(system.state, 200);
  for (const double rate : sampler.acceptance()) EXPECT_NEAR(rate, 0.5, 0.05);
  for (const double angle : sampler.cone_angles()) EXPECT_LT(angle, 0.5);
}

TEST(Sampler, SpinsStayUnitVectors) {
  TestSystem system(cubic(4), 3);
  for (const Update update : {Update::metropolis, Update::heat_bath, Update::over_relaxation}) {
    Sampler sampler = system.sampler(sampler_settings(update, true, 0), 0.5, 3);
    sampler.run(system.state, 20000);
    for (const auto& e : system.state.configuration(2)) EXPECT_NEAR(dot(e, e), 1, 1e-13);
  }
}

}  // namespace larmor::cubic_heisenberg_tests
