// S(q) at equal times from running sums over samples, compared with sums over pairs of sites.
// Rooms: correlations

#include "larmor/correlations/spectra/static_structure_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/correlations/fourier/state_amplitudes.hpp"
#include "test_system.hpp"

namespace larmor::static_structure_factor_tests {

using namespace larmor::correlations;
using testing_support::TestSystem;

/// The lattice has no inversion symmetry, so xy has an imaginary part.
constexpr const char* honeycomb =
    "[lattice]\ntype='honeycomb'\nsize=[3,2]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\nshell=1\n"
    "strength=0.6\ndirection='interface'\n[field]\nB=[0.1,0.2,0.5]\n";
constexpr Index replicas = 4, samples = 5;

using Configuration = std::vector<Vec3<double>>;
using Tensor = std::array<std::complex<double>, 9>;

struct Sampled {
  lattice::Geometry geometry;
  QList q;
  std::vector<std::vector<Configuration>> spins;  ///< [sample][replica][site]
  StaticResult result;
};

Sampled sampled(bool connected) {
  TestSystem system(honeycomb, replicas);
  Sampled all{system.geometry, q_explicit(system.geometry, {{0, 0, 0}, {0.31, -0.17, 0}}), {}, {}};
  StateAmplitudes amplitudes(system.geometry, all.q, Method::factorised, replicas);
  StaticStructureFactor sums({all.q.size(), replicas, true, connected});
  spins::Sampler sampler =
      system.sampler(testing_support::sampler_settings(spins::Update::heat_bath, false, 0), 0.5, 3);
  for (Index n = 0; n < samples; ++n) {
    sampler.run(system.state, 3);
    sums.add(amplitudes.transform(system.state).take(), 1);
    auto& now = all.spins.emplace_back();
    for (Index m = 0; m < replicas; ++m) now.push_back(system.state.configuration(m));
  }
  all.result = sums.finish(static_cast<double>(system.geometry.spins()), false, 1);
  return all;
}

/// The tensor (1/N) sum over pairs of exp(-i q.(r - r')) e_ra e'_r'b.
Tensor pair_sum(const Sampled& all, Index q, const Configuration& one, const Configuration& other) {
  Tensor sum{};
  const double N = static_cast<double>(one.size());
  for (std::size_t r = 0; r < one.size(); ++r)
    for (std::size_t s = 0; s < other.size(); ++s) {
      const Vec3<double> apart = all.geometry.position(static_cast<Index>(r)) -
                                 all.geometry.position(static_cast<Index>(s));
      const double angle = -dot(all.q.cartesian[static_cast<std::size_t>(q)], apart);
      const std::array<double, 3> e{one[r].x, one[r].y, one[r].z},
          f{other[s].x, other[s].y, other[s].z};
      for (std::size_t ab = 0; ab < 9; ++ab)
        sum[ab] += std::polar(1.0, angle) * e[ab / 3] * f[ab % 3] / N;
    }
  return sum;
}

void add(Tensor& to, const Tensor& more, double weight) {
  for (std::size_t ab = 0; ab < 9; ++ab) to[ab] += weight * more[ab];
}

void expect_found(const Sampled& all, Index q, const Tensor& wanted) {
  const auto at = static_cast<std::size_t>(q);
  for (std::size_t ab = 0; ab < 9; ++ab)
    EXPECT_LT(std::abs(all.result.tensor[9 * at + ab] - wanted[ab]), 1e-12) << q << ' ' << ab;
  EXPECT_NEAR(all.result.value[at], (wanted[0] + wanted[4] + wanted[8]).real(), 1e-12);
}

Tensor plain(const Sampled& all, Index q) {
  Tensor mean{};
  for (const auto& sample : all.spins)
    for (const Configuration& e : sample)
      add(mean, pair_sum(all, q, e, e), 1.0 / (samples * replicas));
  return mean;
}

TEST(StaticStructureFactor, IsTheSumOverPairsOfSites) {
  const Sampled all = sampled(false);
  for (Index q = 0; q < all.q.size(); ++q) expect_found(all, q, plain(all, q));
  EXPECT_GT(std::abs(all.result.tensor[9 + 1].imag()), 0.01);
}

TEST(StaticStructureFactor, ConnectedSubtractsTheMeansOfTwoReplicas) {
  const Sampled all = sampled(true);
  std::vector<Configuration> mean;
  for (std::size_t m = 0; m < replicas; ++m) {
    Configuration& of_one = mean.emplace_back(all.spins[0][0].size(), Vec3<double>{0, 0, 0});
    for (const auto& sample : all.spins)
      for (std::size_t r = 0; r < of_one.size(); ++r)
        of_one[r] = of_one[r] + (1.0 / samples) * sample[m][r];
  }
  for (Index q = 0; q < all.q.size(); ++q) {
    Tensor wanted = plain(all, q);
    for (std::size_t m = 0; m < replicas; ++m)
      for (std::size_t n = 0; n < replicas; ++n)
        if (m != n)
          add(wanted, pair_sum(all, q, mean[m], mean[n]), -1.0 / (replicas * (replicas - 1)));
    expect_found(all, q, wanted);
  }
}

}  // namespace larmor::static_structure_factor_tests
