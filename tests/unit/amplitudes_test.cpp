// Both methods that compute amplitudes of wave vectors, compared with the sum over sites.
// Rooms: correlations

#include "larmor/correlations/fourier/amplitudes.hpp"

#include <gtest/gtest.h>

#include "correlations_support.hpp"
#include "larmor/core/error.hpp"

namespace {

using namespace larmor;
using namespace larmor::correlations;
using lattice::Geometry;
using testing_support::amplitude;
using testing_support::Configuration;
using testing_support::periodic_lattice;
using testing_support::random_replicas;
using testing_support::Replicas;
using Complex = std::complex<double>;

std::vector<Complex> transformed(const Geometry& geometry, const QList& q, Method method,
                                 const Replicas& replicas, int threads) {
  const StridedVectors& spins = replicas.view();
  std::vector<Complex> out(static_cast<std::size_t>(q.size() * spins.replicas * 3));
  make_transform(geometry, q, method)->transform(spins, threads, out.data());
  return out;
}

void expect_amplitudes(const std::vector<Complex>& found, const Geometry& geometry, const QList& q,
                       const std::vector<Configuration>& replicas) {
  int wrong = 0;
  auto at = found.begin();
  for (const Vec3<double>& k : q.cartesian)
    for (const Configuration& spins : replicas)
      for (const Complex& expected : amplitude(geometry, spins, k))
        wrong += !(std::abs(*at++ - expected) < 1e-11);  // also counts NaN
  EXPECT_EQ(wrong, 0);
}

struct TestedLattice {
  const char* type;
  std::vector<Index> size;

  friend void PrintTo(const TestedLattice& tested, std::ostream* out) {
    *out << tested.type << testing::PrintToString(tested.size);
  }
};

class Amplitudes : public testing::TestWithParam<TestedLattice> {};

TEST_P(Amplitudes, OfBothMethodsEqualTheSumOverSites) {
  const Geometry geometry = periodic_lattice(GetParam().type, GetParam().size);
  QList q = q_grid(geometry);
  std::vector<Vec3<double>> wanted = q.q;
  // A basis distinguishes wave vectors in other Brillouin zones.
  for (std::size_t i = 0; i < 5; ++i)
    wanted.push_back(wanted[i * (wanted.size() - 1) / 4] + Vec3<double>{1, -2, 0});
  q = q_explicit(geometry, wanted);
  for (const Index count : {1, 3, 19}) {
    const std::vector<Configuration> spins = random_replicas(geometry.sites(), count, 11);
    const Replicas replicas(spins);
    for (const Method method : {Method::factorised, Method::fft})
      expect_amplitudes(transformed(geometry, q, method, replicas, 2), geometry, q, spins);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Lattices, Amplitudes,
    testing::Values(TestedLattice{"chain", {8}}, TestedLattice{"chain", {27}},
                    TestedLattice{"square", {13, 11}}, TestedLattice{"triangular", {5, 6}},
                    TestedLattice{"honeycomb", {6, 5}}, TestedLattice{"kagome", {3, 4}},
                    TestedLattice{"sc", {3, 4, 5}}, TestedLattice{"bcc", {3, 2, 4}},
                    TestedLattice{"pyrochlore", {1, 2, 3}}),
    [](const auto& tested) {
      return std::string(tested.param.type) + std::to_string(tested.param.size[0]);
    });

TEST(Amplitudes, OfAnyWaveVectorAndAnyPositions) {
  Geometry geometry = periodic_lattice("fcc", {3, 3, 4});
  for (lattice::BasisAtom& atom : geometry.crystal.basis) atom.fractional.x += 0.07;
  geometry.plain_positions = true;
  const QList q = q_explicit(geometry, {{0.123, 0, 0}, {0.31, -0.77, 2.2}, {0, 0, 0}});
  const std::vector<Configuration> spins = random_replicas(geometry.sites(), 9, 12);
  const Replicas replicas(spins);
  expect_amplitudes(transformed(geometry, q, Method::automatic, replicas, 2), geometry, q, spins);
}

TEST(Amplitudes, OfBothMethodsAgreeWherePhasesAreTooManyToKeep) {
  // For 840 wave vectors on 40000 sites, the factorised sum would exceed the half gigabyte that it
  // may use.
  const Geometry geometry = periodic_lattice("square", {200, 200});
  QList q = q_grid(geometry);
  q = q_explicit(geometry, {q.q.begin(), q.q.begin() + 840});
  const Replicas replicas(random_replicas(geometry.sites(), 2, 14));
  const std::vector<Complex> sums = transformed(geometry, q, Method::factorised, replicas, 2);
  const std::vector<Complex> spectrum = transformed(geometry, q, Method::fft, replicas, 2);
  int wrong = 0;
  for (std::size_t i = 0; i < sums.size(); ++i)
    wrong += !(std::abs(sums[i] - spectrum[i]) < 1e-9);  // sums of 40000 phases
  EXPECT_EQ(wrong, 0);
}

TEST(Amplitudes, HaveTheSameBitsForAnyNumberOfThreads) {
  const Geometry geometry = periodic_lattice("honeycomb", {12, 9});
  const QList q = q_grid(geometry);
  for (const Index count : {1, 21}) {
    const Replicas replicas(random_replicas(geometry.sites(), count, 13));
    for (const Method method : {Method::factorised, Method::fft}) {
      const std::vector<Complex> one = transformed(geometry, q, method, replicas, 1);
      for (const int threads : {2, 3, 7})
        EXPECT_EQ(one, transformed(geometry, q, method, replicas, threads)) << threads;
    }
  }
}

TEST(Amplitudes, OfManySitesAreSummedInPieces) {
  // The sum has three shares of the sites. The last tile of a share is not full.
  const Geometry geometry = periodic_lattice("square", {150, 141});
  const QList grid = q_grid(geometry);
  const QList q = q_explicit(geometry, {grid.q[1], grid.q[77], grid.q[4000]});
  for (const Index count : {1, 9}) {
    const Replicas replicas(random_replicas(geometry.sites(), count, 15));
    const std::vector<Complex> sums = transformed(geometry, q, Method::factorised, replicas, 1);
    const std::vector<Complex> spectrum = transformed(geometry, q, Method::fft, replicas, 1);
    for (std::size_t i = 0; i < sums.size(); ++i) EXPECT_LT(std::abs(sums[i] - spectrum[i]), 1e-10);
    for (const int threads : {2, 3})
      EXPECT_EQ(sums, transformed(geometry, q, Method::factorised, replicas, threads)) << threads;
  }
}

TEST(Amplitudes, ByFftNeedALatticeAndItsWaveVectors) {
  Geometry geometry = periodic_lattice("square", {6, 5});
  EXPECT_THROW(make_transform(geometry, q_explicit(geometry, {{0.25, 0, 0}}), Method::fft),
               InputError);
  EXPECT_THROW(make_transform(geometry, q_explicit(geometry, {{0.5, 0.5, 0}}), Method::fft),
               InputError);
  EXPECT_NO_THROW(make_transform(geometry, q_explicit(geometry, {{0.5, 0.6, 0}}), Method::fft));
  geometry.plain_positions = true;
  EXPECT_THROW(make_transform(geometry, q_explicit(geometry, {{0.5, 0, 0}}), Method::fft),
               InputError);
}

TEST(Amplitudes, AutomaticMethodGoesByCostAndFit) {
  Geometry geometry = periodic_lattice("square", {20, 20});
  const QList grid = q_grid(geometry), one = q_explicit(geometry, {{0.5, 0, 0}});
  QList unfit = grid;
  unfit.q.back().x += 0.01;
  EXPECT_EQ(chosen_method(geometry, grid, Method::automatic), Method::fft);
  EXPECT_EQ(chosen_method(geometry, one, Method::automatic), Method::factorised);
  EXPECT_EQ(chosen_method(geometry, unfit, Method::automatic), Method::factorised);
  EXPECT_EQ(chosen_method(geometry, grid, Method::factorised), Method::factorised);
  EXPECT_EQ(chosen_method(geometry, one, Method::fft), Method::fft);
  QList some = grid;
  some.q.resize(28);
  some.cartesian.resize(28);
  EXPECT_EQ(chosen_method(geometry, some, Method::automatic, Backend::cpu, 8), Method::factorised);
  EXPECT_EQ(chosen_method(geometry, some, Method::automatic, Backend::cpu, 1), Method::fft);
  geometry.plain_positions = true;
  EXPECT_EQ(chosen_method(geometry, grid, Method::automatic), Method::factorised);
}

bool takes_transform(Backend backend, const char* type, const std::vector<Index>& size,
                     std::size_t waves, Index replicas) {
  const Geometry geometry = periodic_lattice(type, size);
  const QList q = q_explicit(geometry, std::vector<Vec3<double>>(waves));
  return chosen_method(geometry, q, Method::automatic, backend, replicas) == Method::fft;
}

TEST(Amplitudes, AutomaticMethodGoesByTheSizeAndItsFactors) {
  const auto on_square = [](Index length, std::size_t waves) {
    return takes_transform(Backend::cpu, "square", {length, length}, waves, 8);
  };
  EXPECT_FALSE(on_square(100, 34));
  EXPECT_TRUE(on_square(200, 34));
  EXPECT_TRUE(on_square(100, 100));
  EXPECT_FALSE(on_square(106, 100));  // 2 * 53
  EXPECT_TRUE(on_square(106, 250));
}

TEST(Amplitudes, AutomaticMethodTakesWhatWasFasterOnAGpu) {
  const auto on_square = [](Index length, std::size_t waves, Index replicas) {
    return takes_transform(Backend::cuda, "square", {length, length}, waves, replicas);
  };
  for (const Index replicas : {8, 50, 200}) {
    EXPECT_FALSE(on_square(200, 8, replicas));
    EXPECT_TRUE(on_square(200, 300, replicas));
  }
  EXPECT_FALSE(on_square(200, 16, 1));
  EXPECT_TRUE(on_square(200, 64, 1));
  EXPECT_FALSE(on_square(200, 64, 50));
  EXPECT_TRUE(on_square(420, 300, 50));
  EXPECT_FALSE(on_square(419, 300, 50));
  EXPECT_FALSE(on_square(127, 300, 50));
  EXPECT_FALSE(on_square(122, 128, 1));
  EXPECT_TRUE(takes_transform(Backend::cuda, "sc", {29, 29, 29}, 128, 8));
  EXPECT_FALSE(takes_transform(Backend::cuda, "honeycomb", {296, 296}, 300, 50));
  EXPECT_TRUE(takes_transform(Backend::cuda, "honeycomb", {297, 297}, 300, 50));
}

}  // namespace
