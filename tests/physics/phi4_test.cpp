// Phi^4 fields. Averages are compared with closed forms, quadrature and enumeration, and clusters
// with a slow search. Bits must not depend on the device or the number of threads.
// Rooms: clusters, phi4

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <complex>
#include <fstream>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>
#include <string>

#include "larmor/phi4/with_components.hpp"
#include "tests/named.hpp"
#include "tests/phi4_exact.hpp"
#include "tests/phi4_systems.hpp"

namespace larmor::phi4_tests {

using namespace larmor::testing_support;
using phi4::FieldView;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The mean of the time averages of the replicas, and its error.
struct Estimate {
  double sum = 0, squares = 0, count = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    ++count;
  }
  double mean() const { return sum / count; }
  double sigma() const {
    return std::sqrt(std::max(squares / count - mean() * mean(), 0.0) / (count - 1));
  }
  /// The deviation in units of the error. Differences by rounding count as zero.
  double deviation(double exact) const {
    return (mean() - exact) / std::hypot(sigma(), 1e-6 * (1 + std::abs(exact)));
  }
};

struct Measured {
  Estimate action, bond, phi2, phi4, m, m2, m4, improved, difference;
};

struct Effort {
  Index replicas = 400;
  int warm_up = 60, sweeps = 400;
};

double square_of(const std::vector<double>& m) {
  return std::inner_product(m.begin(), m.end(), m.begin(), 0.0);
}

bool has_clusters(Sampler sampler) {
  return sampler == Sampler::swendsen_wang || sampler == Sampler::wolff;
}

Measured measured(const RegularGrid& grid, int components, double kappa, double lambda,
                  Sampler sampler, const Effort& effort) {
  const auto count = static_cast<std::size_t>(effort.replicas);
  FieldSystem system(grid, components, std::vector<double>(count, kappa),
                     std::vector<double>(count, lambda), Device::cpu(2), 17);
  const Index sites = system.model.sites();
  for (int sweep = 0; sweep < effort.warm_up; ++sweep) {
    system.sweep(sampler);
    if (sweep % 10 == 9) system.local.tune();
  }
  struct Sums {
    double action = 0, bond = 0, phi2 = 0, phi4 = 0, m = 0, m2 = 0, m4 = 0;
  };
  std::vector<Sums> own(count);
  system.cluster.clear_sums();
  for (int sweep = 0; sweep < effort.sweeps; ++sweep) {
    system.sweep(sampler, true);
    const std::vector<phi4::FieldMeans> means = system.means();
    for (std::size_t r = 0; r < count; ++r) {
      const double m2 = square_of(means[r].magnetisation);
      own[r].action += means[r].action;
      own[r].bond += means[r].bond;
      own[r].phi2 += means[r].phi2;
      own[r].phi4 += means[r].phi4;
      own[r].m += std::sqrt(m2);
      own[r].m2 += m2;
      own[r].m4 += m2 * m2;
    }
  }
  Measured found;
  const std::vector<clusters::ReflectionSums> sums = system.cluster.sums();
  for (std::size_t r = 0; r < count; ++r) {
    const double T = effort.sweeps;
    found.action.add(own[r].action / T);
    found.bond.add(own[r].bond / T);
    found.phi2.add(own[r].phi2 / T);
    found.phi4.add(own[r].phi4 / T);
    found.m.add(own[r].m / T);
    found.m2.add(own[r].m2 / T);
    found.m4.add(own[r].m4 / T);
    if (!has_clusters(sampler)) continue;
    const double improved = sampler == Sampler::wolff
                                ? sums[r].wolff_order_squared(sites, components) / (3 * T)
                                : sums[r].order_squared(sites, components) / T;
    found.improved.add(improved);
    found.difference.add(improved - own[r].m2 / T);
  }
  return found;
}

/// Tests that every known average lies within 4.5 of its errors, and that all of them together do.
void expect_exact(const Measured& found, const Expected& exact, Sampler sampler) {
  const std::array<std::tuple<const char*, const Estimate*, double>, 7> all{{
      {"action", &found.action, exact.action},
      {"bond", &found.bond, exact.bond},
      {"phi2", &found.phi2, exact.phi2},
      {"phi4", &found.phi4, exact.phi4},
      {"m", &found.m, exact.m},
      {"m2", &found.m2, exact.m2},
      {"m4", &found.m4, exact.m4},
  }};
  double chi_squared = 0, known = 0;
  for (const auto& [name, estimate, value] : all) {
    if (std::isnan(value)) continue;
    const double deviation = estimate->deviation(value);
    EXPECT_LT(std::abs(deviation), 4.5)
        << name << " " << estimate->mean() << " +- " << estimate->sigma() << ", exactly " << value;
    chi_squared += deviation * deviation;
    ++known;
  }
  // The averages are correlated. In the worst case, all deviate by one number of errors.
  EXPECT_LT(chi_squared, 10 * known);
  if (!has_clusters(sampler)) return;
  // Clusters are those before the last reflection, so the difference has a mean of zero.
  EXPECT_LT(std::abs(found.difference.deviation(0)), 4.5);
  if (!std::isnan(exact.m2)) {
    EXPECT_LT(std::abs(found.improved.deviation(exact.m2)), 4.5);
  }
}

struct ExactCase {
  const char* name;
  RegularGrid grid;
  int components;
  double kappa, lambda;
  std::function<Expected()> exact;
  std::vector<Sampler> samplers;
  Effort effort = {};
};
void PrintTo(const ExactCase& c, std::ostream* out) { *out << c.name; }

class FieldAverages : public testing::TestWithParam<ExactCase> {};

TEST_P(FieldAverages, AreExactByEverySampler) {
  const ExactCase& c = GetParam();
  const Expected exact = c.exact();
  for (const Sampler sampler : c.samplers) {
    SCOPED_TRACE(static_cast<int>(sampler));
    expect_exact(measured(c.grid, c.components, c.kappa, c.lambda, sampler, c.effort), exact,
                 sampler);
  }
}

const std::vector<Sampler> local_and_clusters{Sampler::metropolis, Sampler::over_relaxed,
                                              Sampler::swendsen_wang, Sampler::wolff};
const std::vector<Sampler> with_heat_bath{Sampler::metropolis, Sampler::heat_bath,
                                          Sampler::over_relaxed, Sampler::swendsen_wang,
                                          Sampler::wolff};
const std::vector<Sampler> of_one_component{Sampler::metropolis, Sampler::swendsen_wang,
                                            Sampler::wolff};
const std::vector<Sampler> of_ising{Sampler::metropolis, Sampler::heat_bath, Sampler::swendsen_wang,
                                    Sampler::wolff};

const RegularGrid chain_of_six{{6}, {false}};
const RegularGrid square_of_four{{4, 4}, {true, true}};
const RegularGrid cube_of_three{{3, 3, 3}, {true, true, true}};
const RegularGrid torus_3_4{{3, 4}, {true, true}};
const RegularGrid pair_of_sites{{2, 1}, {false, true}};
const RegularGrid one_site{{1}, {true}};

INSTANTIATE_TEST_SUITE_P(
    Systems, FieldAverages,
    testing::Values(ExactCase{"open_chain_heisenberg", chain_of_six, 3, 1.0, infinity,
                              [] { return open_chain(3, 1.0, 6); }, with_heat_bath},
                    ExactCase{"open_chain_o4", chain_of_six, 4, 1.0, infinity,
                              [] { return open_chain(4, 1.0, 6); }, local_and_clusters},
                    ExactCase{"open_chain_o8", chain_of_six, 8, 2.0, infinity,
                              [] { return open_chain(8, 2.0, 6); }, local_and_clusters},
                    ExactCase{"open_chain_antiferromagnet", chain_of_six, 3, -0.8, infinity,
                              [] { return open_chain(3, -0.8, 6); }, with_heat_bath},
                    ExactCase{"ising_square", square_of_four, 1, 0.2, infinity,
                              [] { return enumerated(square_of_four, 0.2); }, of_ising},
                    ExactCase{"gaussian_three", torus_3_4, 3, 0.15, 0,
                              [] { return gaussian(torus_3_4, 3, 0.15); }, with_heat_bath},
                    ExactCase{"site_of_one", one_site, 1, 0.3, 0.7,
                              [] { return single_site(1, 0.7); }, of_one_component},
                    ExactCase{"site_of_four", one_site, 4, 0.3, 2.0,
                              [] { return single_site(4, 2.0); }, local_and_clusters},
                    ExactCase{"bond_of_one", pair_of_sites, 1, 0.4, 0.5,
                              [] { return two_sites(1, 0.4, 0.5); }, of_one_component},
                    ExactCase{"bond_of_two", pair_of_sites, 2, 0.6, 0.3,
                              [] { return two_sites(2, 0.6, 0.3); }, local_and_clusters},
                    ExactCase{"bond_of_four", pair_of_sites, 4, 0.6, 1.0,
                              [] { return two_sites(4, 0.6, 1.0); }, local_and_clusters},
                    ExactCase{"torus_of_one", torus_3_4, 1, 0.22, 0.5,
                              [] { return torus(0.22, 0.5); }, of_one_component}),
    by_name);
INSTANTIATE_TEST_SUITE_P(
    Depth, FieldAverages,
    testing::Values(ExactCase{"open_chain_xy", chain_of_six, 2, 0.5, infinity,
                              [] { return open_chain(2, 0.5, 6); }, local_and_clusters},
                    ExactCase{"ising_cube", cube_of_three, 1, 0.1, infinity,
                              [] { return enumerated(cube_of_three, 0.1); }, of_ising},
                    ExactCase{"gaussian_one",
                              torus_3_4,
                              1,
                              0.15,
                              0,
                              [] { return gaussian(torus_3_4, 1, 0.15); },
                              {Sampler::metropolis, Sampler::heat_bath, Sampler::swendsen_wang,
                               Sampler::wolff}}),
    by_name);

// ---- clusters compared with a slow search ----

/// Depth-first search of the clusters. @param sigma of one replica @return the least site of the
/// cluster of each site
std::vector<std::uint32_t> slow_labels(const std::vector<GridBond>& bonds,
                                       const std::vector<double>& strength, std::uint64_t seed,
                                       std::uint64_t step, std::uint64_t replica,
                                       const std::vector<double>& sigma) {
  std::vector<std::vector<std::uint32_t>> joined(sigma.size());
  const RandomKey key{seed, step, Stream::cluster_bond};
  for (std::size_t b = 0; b < bonds.size(); ++b) {
    const GridBond& of = bonds[b];
    const double K = strength.size() == 1 ? strength[0] : strength[b];
    const double p = 1 - std::exp(std::min(0.0, -2 * K * sigma[of.i] * sigma[of.j]));
    const auto word = static_cast<double>(philox(key, of.call, replica).w[of.word]);
    if (!(word / 4294967296.0 > 1 - p)) continue;
    joined[of.i].push_back(of.j);
    joined[of.j].push_back(of.i);
  }
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> label(sigma.size(), none), waiting;
  for (std::uint32_t first = 0; first < label.size(); ++first) {
    if (label[first] != none) continue;
    waiting = {first};
    label[first] = first;
    while (!waiting.empty()) {
      const std::uint32_t own = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t other : joined[own])
        if (label[other] == none) {
          label[other] = first;
          waiting.push_back(other);
        }
    }
  }
  return label;
}

bool slowly_reflected(const std::vector<std::uint32_t>& label, std::size_t place,
                      clusters::Reflected reflected, std::uint64_t seed, std::uint64_t step,
                      std::uint64_t replica) {
  if (reflected == clusters::Reflected::half_of_all)
    return philox({seed, step, Stream::cluster_state}, std::uint64_t{label[place]}, replica).w[0] >=
           0x80000000u;
  const auto words = philox({seed, step, Stream::wolff_seed}, std::uint64_t{0}, replica);
  const auto chosen =
      static_cast<std::size_t>((static_cast<long double>(words.w[0]) +
                                static_cast<long double>(words.w[1]) / 4294967296.0L) /
                               4294967296.0L * static_cast<long double>(label.size()));
  return label[place] == label[chosen];
}

clusters::ReflectionSums slow_sums(const std::vector<std::uint32_t>& label,
                                   const std::vector<double>& sigma) {
  std::vector<std::uint64_t> size(label.size());
  std::vector<double> moment(label.size());
  for (std::size_t i = 0; i < label.size(); ++i) {
    ++size[label[i]];
    moment[label[i]] += sigma[i];
  }
  clusters::ReflectionSums sums;
  for (std::size_t i = 0; i < label.size(); ++i) {
    if (size[i] == 0) continue;
    sums.clusters.add_cluster(size[i], false);
    sums.projection_squares += moment[i] * moment[i];
  }
  return sums;
}

struct GridCase {
  const char* name;
  RegularGrid grid;
  int components;
  double lambda = infinity;
};
void PrintTo(const GridCase& c, std::ostream* out) { *out << c.name; }

std::vector<GridCase> grid_cases() {
  return {{"chain", {{67}, {true}}, 2},
          {"open_chain", {{9}, {false}}, 3, 0.5},
          {"square_odd", {{13, 7}, {true, true}}, 4},
          {"strip", {{1, 40}, {true, false}}, 1, 1.0},
          {"two_wide", {{2, 5}, {true, true}}, 3},
          {"cubic", {{5, 6, 7}, {true, false, true}}, 2, 0.2},
          {"four_axes", {{5, 4, 3, 2}, {true, true, true, true}}, 4},
          {"eight_components", {{12, 11}, {true, true}}, 8, 2.0},
          {"long_rows", {{9001, 2}, {true, false}}, 1}};
}

class EveryFieldGrid : public testing::TestWithParam<GridCase> {};

TEST_P(EveryFieldGrid, ClustersAreThoseOfTheSlowSearch) {
  const GridCase& c = GetParam();
  const std::vector<double> kappa{0.2, 0.9, -0.6};
  constexpr std::uint64_t seed = 5;
  FieldSystem system(c.grid, c.components, kappa, std::vector<double>(3, c.lambda), Device::cpu(1),
                     seed);
  const auto sites = static_cast<std::size_t>(system.model.sites());
  const std::vector<GridBond> bonds = bonds_of_grid(c.grid);
  for (const clusters::Reflected reflected :
       {clusters::Reflected::half_of_all, clusters::Reflected::seed_cluster})
    for (int n = 0; n < 3; ++n) {
      const std::vector<float> before = system.state.fields(3);
      const std::uint64_t step = system.state.step;
      system.cluster.clear_sums();
      if (reflected == clusters::Reflected::seed_cluster)
        system.cluster.wolff(system.state, 1, true);
      else
        system.cluster.swendsen_wang(system.state, true);
      const std::vector<float> after = system.state.fields(3);
      for (std::uint64_t replica = 0; replica < 3; ++replica) {
        std::vector<double> r(static_cast<std::size_t>(c.components));
        phi4::with_components(c.components, [&](auto components) {
          constexpr int N = components;
          const auto axis = phi4::random_direction<N>({seed, step, Stream::reflection_axis},
                                                      std::uint64_t{0}, replica);
          std::copy_n(axis.c, N, r.begin());
        });
        const std::size_t N = r.size();
        std::vector<double> sigma(sites);
        for (std::size_t i = 0; i < sites; ++i)
          for (std::size_t k = 0; k < N; ++k)
            sigma[i] += r[k] * static_cast<double>(before[(replica * sites + i) * N + k]);
        const std::vector<std::uint32_t> label =
            slow_labels(bonds, {2 * kappa[replica]}, seed, step, replica, sigma);
        double largest = 0;
        for (std::size_t i = 0; i < sites; ++i) {
          const bool turns = slowly_reflected(label, i, reflected, seed, step, replica);
          for (std::size_t k = 0; k < N; ++k) {
            const std::size_t place = (replica * sites + i) * N + k;
            const double expected =
                static_cast<double>(before[place]) - (turns ? 2 * sigma[i] * r[k] : 0);
            largest = std::max(largest, std::abs(static_cast<double>(after[place]) - expected));
          }
        }
        EXPECT_LT(largest, 2e-6);
        if (reflected == clusters::Reflected::seed_cluster) continue;
        const clusters::ReflectionSums expected = slow_sums(label, sigma);
        const clusters::ReflectionSums found = system.cluster.sums()[replica];
        EXPECT_EQ(found.clusters, expected.clusters);
        EXPECT_NEAR(found.projection_squares, expected.projection_squares,
                    1e-5 * (1 + expected.projection_squares));
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Grids, EveryFieldGrid, testing::ValuesIn(grid_cases()), by_name);

/// Plane vectors on any graph, as an example of a model that is not phi^4.
class PlaneVectors : public clusters::ReflectedField {
 public:
  PlaneVectors(std::vector<std::complex<double>>& vectors, Index sites)
      : vectors_(vectors), sites_(sites) {}
  void project(Index replica, Index first, Index last, float* sigma) const override {
    for (Index i = first; i < last; ++i) sigma[i] = static_cast<float>(at(replica, i).real());
  }
  void reflect(Index replica, Index first, Index last, const float*,
               const std::uint8_t* reflected) override {
    for (Index i = first; i < last; ++i)
      if (reflected[i] != 0) at(replica, i) = -std::conj(at(replica, i));
  }
  void project_all(float*) const override {}
  void reflect_all(const clusters::ReflectionClusterView&,
                   const clusters::FoundClusters&) override {}

 private:
  std::complex<double>& at(Index replica, Index i) const {
    return vectors_[static_cast<std::size_t>(replica * sites_ + i)];
  }
  std::vector<std::complex<double>>& vectors_;
  Index sites_;
};

std::vector<std::complex<double>> random_plane_vectors(Index count) {
  std::vector<std::complex<double>> vectors;
  const RandomKey key{3, 0, Stream::initial_configuration};
  for (Index n = 0; n < count; ++n) {
    const auto words = philox(key, static_cast<std::uint64_t>(n), std::uint64_t{0});
    vectors.push_back(
        std::polar(1.0, 2 * std::numbers::pi * static_cast<double>(words.w[0]) / 4294967296.0));
  }
  return vectors;
}

TEST(ReflectionClusters, OfAGraphAreThoseOfTheSlowSearch) {
  constexpr Index sites = 3000, replicas = 2;
  constexpr std::uint64_t seed = 8;
  std::vector<clusters::ReflectionBond> bonds;
  std::vector<GridBond> places;
  const RandomKey key{4711, 0, Stream::initial_configuration};
  for (std::uint64_t n = 0; std::ssize(bonds) < 9000; ++n) {
    const auto words = philox(key, n, std::uint64_t{0});
    const auto i = static_cast<Index>(words.w[1] % sites),
               j = static_cast<Index>(words.w[2] % sites);
    if (i == j) continue;
    const auto b = static_cast<std::uint64_t>(bonds.size());
    bonds.push_back({i, j, static_cast<float>(words.w[3]) / 4294967296.0f - 0.3f});
    places.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                      b / 32 * 8 + b % 8, static_cast<int>(b % 32 / 8)});
  }
  const auto graph = clusters::ReflectionGraph::of_bonds(sites, bonds);
  const std::vector<double> beta{0.7, 2.5};
  const std::vector<std::complex<double>> first = random_plane_vectors(replicas * sites);
  for (const int threads : {1, 3}) {
    std::vector<std::complex<double>> vectors = first;
    PlaneVectors field(vectors, sites);
    clusters::ReflectionClusters update(graph, replicas, seed, Device::cpu(threads));
    for (std::uint64_t step = 0; step < 3; ++step) {
      const std::vector<std::complex<double>> before = vectors;
      update.clear_sums();
      update.update({beta.data(), 1.0}, field, step, clusters::Reflected::half_of_all, true);
      for (std::uint64_t r = 0; r < replicas; ++r) {
        std::vector<double> sigma, strength;
        for (std::size_t i = 0; i < sites; ++i) sigma.push_back(before[r * sites + i].real());
        for (const clusters::ReflectionBond& of : bonds)
          strength.push_back(beta[r] * static_cast<double>(of.coupling));
        const auto label = slow_labels(places, strength, seed, step, r, sigma);
        EXPECT_EQ(update.sums()[r].clusters, slow_sums(label, sigma).clusters);
        for (std::size_t i = 0; i < sites; ++i) {
          const bool turns =
              slowly_reflected(label, i, clusters::Reflected::half_of_all, seed, step, r);
          const std::complex<double> old = before[r * sites + i];
          ASSERT_EQ(vectors[r * sites + i], turns ? -std::conj(old) : old);
        }
      }
    }
  }
}

TEST(ReflectionClusters, RefuseWhatMakesNoClusters) {
  using clusters::ReflectionBond;
  using clusters::ReflectionGraph;
  EXPECT_THROW(ReflectionGraph::on_grid({{4, 0}, {true, true}}), InputError);
  EXPECT_THROW(ReflectionGraph::on_grid({{2, 2, 2, 2, 2}, std::vector<bool>(5)}), InputError);
  const std::vector<ReflectionBond> loop{{1, 1, 1.0f}}, outside{{0, 4, 1.0f}},
      nothing{{0, 1, std::nanf("")}};
  EXPECT_THROW(ReflectionGraph::of_bonds(4, loop), InputError);
  EXPECT_THROW(ReflectionGraph::of_bonds(4, outside), InputError);
  EXPECT_THROW(ReflectionGraph::of_bonds(4, nothing), InputError);
  EXPECT_THROW(ReflectionGraph::of_bonds(0, {}), InputError);
}

// ---- bits, invariants, errors ----

/// All numbers that a mixture of updates changes.
struct Outcome {
  std::vector<float> fields;
  std::vector<clusters::ReflectionSums> sums;
  std::vector<double> numbers, acceptance;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome outcome(const RegularGrid& grid, int components, const std::vector<double>& kappa,
                const std::vector<double>& lambda, int threads, ReplicaShare share) {
  FieldSystem system(grid, components, kappa, lambda, Device::cpu(threads), 3, share);
  for (int n = 0; n < 3; ++n) {
    system.local.run(system.state, phi4::LocalRule::metropolis, 2);
    system.local.run(system.state, phi4::LocalRule::over_relaxation, 1);
    system.cluster.swendsen_wang(system.state, true);
  }
  Outcome found;
  found.sums = system.cluster.sums();
  system.cluster.clear_sums();
  system.cluster.wolff(system.state, 4, true);
  for (const clusters::ReflectionSums& sums : system.cluster.sums()) found.sums.push_back(sums);
  found.fields = system.state.fields(share.count);
  found.numbers = system.sums.begin(system.state).take();
  found.acceptance = system.local.acceptance();
  return found;
}

class SharedFields : public testing::TestWithParam<GridCase> {};

TEST_P(SharedFields, HaveTheSameBitsOnAnyNumberOfThreads) {
  const GridCase& c = GetParam();
  for (const std::size_t replicas : {1u, 5u}) {
    std::vector<double> kappa(replicas, 0.25), lambda(replicas, c.lambda);
    kappa.back() = 0.31;
    const ReplicaShare all(static_cast<Index>(replicas));
    const Outcome one = outcome(c.grid, c.components, kappa, lambda, 1, all);
    EXPECT_EQ(one, outcome(c.grid, c.components, kappa, lambda, 2, all));
    EXPECT_EQ(one, outcome(c.grid, c.components, kappa, lambda, 7, all));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grids, SharedFields,
    testing::Values(GridCase{"square", {{131, 77}, {true, true}}, 3, 0.4},
                    GridCase{"four_axes", {{11, 10, 9, 9}, {true, true, true, true}}, 4},
                    GridCase{"chain", {{9000}, {true}}, 1, 1.0}),
    by_name);

TEST(Fields, OfAProcessAreThoseOfTheStudy) {
  const RegularGrid grid{{7, 6}, {true, true}};
  const std::vector<double> kappa{0.1, 0.2, 0.3, 0.4, 0.5}, lambda{0.5, infinity, 0.1, 1, infinity};
  const Outcome all = outcome(grid, 3, kappa, lambda, 1, ReplicaShare(5));
  const Outcome own = outcome(grid, 3, {kappa.begin() + 3, kappa.end()},
                              {lambda.begin() + 3, lambda.end()}, 1, ReplicaShare(3, 2, 5));
  EXPECT_TRUE(std::equal(own.fields.begin(), own.fields.end(), all.fields.begin() + 3 * 42 * 3));
}

TEST(Fields, OverRelaxationKeepsTheActionAndClustersTheLengths) {
  const RegularGrid grid{{6, 5, 4}, {true, true, false}};
  FieldSystem system(grid, 4, {0.3, 0.25}, {0.4, infinity});
  system.local.run(system.state, phi4::LocalRule::metropolis, 20);
  const auto lengths = [&] {
    std::vector<double> found;
    const std::vector<float> fields = system.state.fields(2);
    for (std::size_t i = 0; i < fields.size(); i += 4) {
      double square = 0;
      for (std::size_t k = 0; k < 4; ++k) square += std::pow(static_cast<double>(fields[i + k]), 2);
      found.push_back(square);
    }
    return found;
  };
  const auto before = system.means();
  std::vector<double> length = lengths();
  const std::vector<float> fields = system.state.fields(2);
  system.local.run(system.state, phi4::LocalRule::over_relaxation, 30);
  const auto after = system.means();
  for (const std::size_t r : {0u, 1u}) EXPECT_NEAR(after[r].action, before[r].action, 1e-5);
  EXPECT_NE(system.state.fields(2), fields);
  for (int n = 0; n < 30; ++n) system.cluster.swendsen_wang(system.state, false);
  const std::vector<double> last = lengths();
  for (std::size_t i = 0; i < length.size(); ++i) {
    const bool fixed_length = i >= length.size() / 2;
    EXPECT_NEAR(last[i], fixed_length ? 1 : length[i], 2e-5 * (1 + length[i]));
  }
}

TEST(Fields, LengthsOfOneStayThroughManyUpdates) {
  FieldSystem system({{8, 8}, {true, true}}, 4, {0.4}, {infinity});
  for (int n = 0; n < 3000; ++n) {
    system.local.run(system.state, phi4::LocalRule::over_relaxation, 1);
    system.cluster.swendsen_wang(system.state, false);
  }
  const std::vector<float> fields = system.state.fields(1);
  for (std::size_t i = 0; i < fields.size(); i += 4) {
    double square = 0;
    for (std::size_t k = 0; k < 4; ++k) square += std::pow(static_cast<double>(fields[i + k]), 2);
    EXPECT_NEAR(square, 1, 1e-6);
  }
}

TEST(Fields, TrialsAreTunedToAHalf) {
  FieldSystem system({{12, 12}, {true, true}}, 2, {0.25, 0.8, 0.25}, {0.5, infinity, 40});
  for (int n = 0; n < 30; ++n) {
    system.local.run(system.state, phi4::LocalRule::metropolis, 10);
    system.local.tune();
  }
  system.local.run(system.state, phi4::LocalRule::metropolis, 50);
  for (const double share : system.local.acceptance()) EXPECT_NEAR(share, 0.5, 0.05);
}

TEST(Fields, SitesOfAColourAreNoNeighbours) {
  for (const GridCase& c : grid_cases()) {
    SCOPED_TRACE(c.name);
    const phi4::SitesByColour sites = phi4::sites_by_colour(c.grid);
    std::vector<int> colour(sites.site.size(), -1);
    for (std::size_t k = 0; k + 1 < sites.begin.size(); ++k)
      for (Index n = sites.begin[k]; n < sites.begin[k + 1]; ++n)
        colour[sites.site[static_cast<std::size_t>(n)]] = static_cast<int>(k);
    for (const int of_site : colour) EXPECT_GE(of_site, 0);
    for (const GridBond& of : bonds_of_grid(c.grid)) EXPECT_NE(colour[of.i], colour[of.j]);
  }
}

/// Updates every site of all replicas once, site by site in the order of colours.
template <class MakeUpdate>
std::vector<double> sweep_slowly(FieldSystem& system, const MakeUpdate& update_of) {
  const phi4::SitesByColour sites = phi4::sites_by_colour(system.model.grid());
  const FieldView view = system.state.view();
  std::vector<double> accepted(static_cast<std::size_t>(view.replicas));
  phi4::with_components(view.components, [&](auto components) {
    const auto update = update_of(components, view);
    for (Index r = 0; r < view.replicas; ++r)
      for (const std::uint32_t site : sites.site)
        accepted[static_cast<std::size_t>(r)] += update(site, r) ? 1 : 0;
  });
  ++system.state.step;
  return accepted;
}

class PacksOfSites : public testing::TestWithParam<GridCase> {};

TEST_P(PacksOfSites, AreUpdatedAsSiteBySite) {
  const GridCase& c = GetParam();
  // If a lattice is small, one pack holds replicas of fixed and of variable length.
  for (const std::size_t replicas : {1u, 3u, 21u}) {
    const auto R = static_cast<Index>(replicas);
    std::vector<double> kappa, lambda;
    const bool bathes = c.components == 1 || c.components == 3;
    for (std::size_t r = 0; r < replicas; ++r) {
      kappa.push_back(0.02 * static_cast<double>(r % 5));
      lambda.push_back(r % 3 == 0 ? infinity : r % 3 == 1 ? c.lambda : 0.7);
    }
    const ReplicaShare share(4, R, R + 4);
    FieldSystem packs(c.grid, c.components, kappa, lambda, Device::cpu(2), 31, share),
        slow(c.grid, c.components, kappa, lambda, Device::cpu(1), 31, share);
    packs.local.run(packs.state, phi4::LocalRule::metropolis, 2);
    packs.local.tune();
    slow.state.load(packs.state.fields(R));
    slow.state.step += 2;
    const std::vector<double> lengths = packs.local.step_lengths();
    const auto key = [&] { return RandomKey{31, slow.state.step, Stream::field_update, 4}; };
    packs.local.run(packs.state, phi4::LocalRule::metropolis, 1);
    EXPECT_EQ(packs.local.accepted(), sweep_slowly(slow, [&](auto N, const FieldView& view) {
                return phi4::MetropolisUpdate<N>{view, key(), lengths.data()};
              }));
    ASSERT_EQ(packs.state.fields(R), slow.state.fields(R));
    packs.local.run(packs.state, phi4::LocalRule::over_relaxation, 1);
    sweep_slowly(slow,
                 [&](auto N, const FieldView& view) { return phi4::OverRelaxation<N>{view}; });
    ASSERT_EQ(packs.state.fields(R), slow.state.fields(R));
    if (!bathes) continue;
    for (double& of : lambda)
      if (of < infinity) of = 0;
    packs.model.set_couplings(kappa, lambda);
    slow.model.set_couplings(kappa, lambda);
    packs.local.run(packs.state, phi4::LocalRule::heat_bath, 1);
    sweep_slowly(slow, [&](auto N, const FieldView& view) {
      return phi4::HeatBathUpdate<N>{view, key()};
    });
    ASSERT_EQ(packs.state.fields(R), slow.state.fields(R));
  }
}

std::vector<GridCase> grids_of_all_widths() {
  std::vector<GridCase> cases = grid_cases();
  // Rows have about one pack, or two tiles and more, or close on themselves.
  for (const auto& [name, length] : {std::pair{"rows_of_7", 7},
                                     {"rows_of_8", 8},
                                     {"rows_of_9", 9},
                                     {"rows_of_16", 16},
                                     {"rows_of_23", 23},
                                     {"rows_of_128", 128},
                                     {"rows_of_257", 257}})
    cases.push_back({name, {{length, 3, 4}, {true, true, false}}, 3, 0.4});
  cases.push_back({"open_rows", {{11, 6}, {false, true}}, 1, 0.4});
  cases.push_back({"one_site", {{1}, {true}}, 3, 0.4});
  cases.push_back({"columns", {{1, 1, 9}, {true, true, true}}, 5, 0.4});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Grids, PacksOfSites, testing::ValuesIn(grids_of_all_widths()), by_name);

TEST(Fields, RefuseWhatMakesNoSense) {
  const auto model = [](const RegularGrid& grid, int components) {
    return phi4::FieldModel(grid, components, ReplicaShare(1), Device::cpu(1));
  };
  EXPECT_THROW(model(square_of_four, 0), InputError);
  EXPECT_THROW(model(square_of_four, 9), InputError);
  EXPECT_THROW(model({{4, 0}, {true, true}}, 1), InputError);
  const auto couple = [&](const RegularGrid& grid, double kappa, double lambda) {
    phi4::FieldModel own = model(grid, 2);
    own.set_couplings(std::vector<double>{kappa}, std::vector<double>{lambda});
  };
  EXPECT_THROW(couple(square_of_four, std::nan(""), 1), InputError);
  EXPECT_THROW(couple(square_of_four, infinity, 1), InputError);
  EXPECT_THROW(couple(square_of_four, 0.1, -1), InputError);
  EXPECT_THROW(couple(square_of_four, 0.1, std::nan("")), InputError);
  EXPECT_THROW(couple(square_of_four, 0.25, 0), InputError);
  EXPECT_NO_THROW(couple(square_of_four, 0.249, 0));
  EXPECT_NO_THROW(couple(chain_of_six, 0.55, 0));
  EXPECT_THROW(couple(chain_of_six, 0.56, 0), InputError);
  FieldSystem system(square_of_four, 2, {0.1}, {infinity});
  EXPECT_THROW(system.local.run(system.state, phi4::LocalRule::heat_bath, 1), InputError);
}

// ---- Monte Carlo of other authors ----

/// A row of the reference: N, D, L, kappa, lambda and averages with errors.
struct ReferenceRow {
  int components, axes;
  Index length;
  double kappa, lambda;
  std::string algorithm;
  double m, m_error, m2, m2_error, link, link_error, phi2, phi2_error, phi4, phi4_error;
};

std::vector<ReferenceRow> reference_rows() {
  const char* const folder = std::getenv("LARMOR_TEST_REFERENCE");
  if (folder == nullptr) return {};
  std::ifstream file(std::string(folder) + "/exact/phi4_mc_reference.csv");
  std::vector<ReferenceRow> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::vector<std::string> cell;
    std::stringstream cells(line);
    for (std::string word; std::getline(cells, word, ',');) cell.push_back(word);
    if (cell.size() < 23) continue;
    const auto number = [&](std::size_t n) { return std::stod(cell[n]); };
    rows.push_back({std::stoi(cell[0]), std::stoi(cell[1]), std::stol(cell[2]), number(3),
                    cell[4] == "inf0" ? infinity : number(4), cell[5], number(7), number(8),
                    number(9), number(10), number(17), number(18), number(19), number(20),
                    number(21), number(22)});
  }
  return rows;
}

TEST(FieldReference, IsMatched) {
  const std::vector<ReferenceRow> rows = reference_rows();
  if (rows.empty()) GTEST_SKIP() << "no reference of Monte Carlo: LARMOR_TEST_REFERENCE names none";
  double chi_squared = 0, numbers = 0;
  for (const ReferenceRow& row : rows) {
    const double sites = std::pow(static_cast<double>(row.length), row.axes);
    if (sites > 600 || row.algorithm != "metro+over+wolff") continue;
    SCOPED_TRACE(row.components);
    SCOPED_TRACE(row.lambda);
    const auto axes = static_cast<std::size_t>(row.axes);
    const RegularGrid grid{std::vector<Index>(axes, row.length), std::vector<bool>(axes, true)};
    const Measured found = measured(grid, row.components, row.kappa, row.lambda,
                                    Sampler::swendsen_wang, {48, 80, 300});
    const auto compare = [&](const Estimate& estimate, double value, double error) {
      const double deviation = (estimate.mean() - value) /
                               std::hypot(estimate.sigma(), error, 1e-6 * (1 + std::abs(value)));
      EXPECT_LT(std::abs(deviation), 4.5)
          << estimate.mean() << " +- " << estimate.sigma() << " for " << value << " +- " << error;
      chi_squared += deviation * deviation;
      ++numbers;
    };
    compare(found.m, row.m, row.m_error);
    compare(found.m2, row.m2, row.m2_error);
    compare(found.bond, row.link, row.link_error);
    compare(found.phi2, row.phi2, row.phi2_error);
    compare(found.phi4, row.phi4, row.phi4_error);
  }
  EXPECT_LT(chi_squared, 4 * numbers);
}

}  // namespace larmor::phi4_tests
