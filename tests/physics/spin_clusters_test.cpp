// Cluster updates of vector spins: exact averages of chains, triangles and disordered systems,
// comparison with heat bath, improved estimators, and refusals.
// Rooms: clusters, spins, study

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/lattice/quenched_disorder.hpp"
#include "study_test.hpp"
#include "tests/clustered_spins.hpp"

namespace larmor::spin_clusters_tests {

using namespace larmor::spins;
using testing_support::ClusteredSpins;
using testing_support::Named;
using testing_support::sampler_settings;
using testing_support::sigmas_of_alpha;
using testing_support::test_device;
using testing_support::TestSystem;

double langevin(double x) { return 1 / std::tanh(x) - 1 / x; }

using Numbers = std::function<std::vector<double>(const study::SpinSystem&)>;

std::vector<double> energies(const study::SpinSystem& s) {
  return energy_per_site(s.model, s.state);
}

/// The squares of the magnetisations of all replicas.
std::vector<double> squares(const study::SpinSystem& s) {
  std::vector<double> m2;
  for (const Vec3<double>& m : magnetisation_per_site(s.model, s.state)) m2.push_back(dot(m, m));
  return m2;
}

void expect_exact(const Estimate& e, double exact, double coarse = 0.01) {
  EXPECT_TRUE(e.reliable);
  EXPECT_LT(std::abs(e.value - exact), sigmas_of_alpha * e.error)
      << e.value << " +- " << e.error << " against " << exact;
  EXPECT_LT(e.error, coarse) << "too coarse to notice anything";
}

class SpinClusters : public testing::TestWithParam<Named<bool>> {
 protected:
  static bool by_wolff() { return GetParam().value; }

  /// Values by [sample][replica] after some sweeps.
  static std::vector<double> series(ClusteredSpins& spins, const Numbers& numbers, int samples,
                                    int between = 1) {
    for (int n = 0; n < 100; ++n) spins.sweep(by_wolff());
    std::vector<double> all;
    for (int n = 0; n < samples; ++n) {
      for (int sweep = 0; sweep < between; ++sweep) spins.sweep(by_wolff());
      const std::vector<double> values = numbers(spins.system);
      all.insert(all.end(), values.begin(), values.end());
    }
    return all;
  }
  static Estimate average(const std::string& text, double temperature, const Numbers& numbers,
                          int samples = 2000) {
    constexpr Index replicas = 32;
    ClusteredSpins spins(text, replicas, temperature, test_device(2));
    return estimate_replicas(series(spins, numbers, samples), replicas);
  }
};

using SpinClustersInDepth = SpinClusters;

std::string chain(const std::string& sites, const std::string& rest) {
  return "[lattice]\ntype='chain'\nsize=[" + sites + "]\nperiodic=false\nmoment=[1.7]\n" + rest;
}

TEST_P(SpinClusters, OpenChainsHaveTheirEnergyAndCorrelation) {
  for (const char* const J : {"1.5", "-1.5"}) {
    const std::string text = chain("6", std::string("[[exchange]]\nshell=1\nJ=") + J + "\n");
    const double L = langevin(1.5 / 0.8), sign = *J == '-' ? -1 : 1;
    expect_exact(average(text, 0.8, energies), -5 * 1.5 * L / 6);
    const auto third = [](const study::SpinSystem& s) {
      std::vector<double> c;
      for (Index r = 0; r < s.state.layout().replicas; ++r) {
        const auto e = s.state.configuration(r);
        c.push_back(dot(e[1], e[4]));
      }
      return c;
    };
    expect_exact(average(text, 0.8, third), sign * L * L * L);
  }
}

TEST_P(SpinClusters, TablesOfOneBondAddUp) {
  const std::string text = chain("4",
                                 "[[exchange]]\nshell=1\nJ=2.1\n[[exchange]]\noffset=[[-1,0,0]]\n"
                                 "J=-0.6\n[[exchange]]\npairs=[[1,2]]\nJ=-1.1\n");
  expect_exact(average(text, 0.7, energies),
               -(2 * 1.5 * langevin(1.5 / 0.7) + 0.4 * langevin(0.4 / 0.7)) / 4);
}

/// All three spins are coupled. The density of s = |S| is s^2 / 2 up to 1, and then s (3 - s) / 4.
TEST_P(SpinClusters, TrianglesHaveTheirEnergy) {
  for (const double J : {1.0, -1.0}) {
    constexpr double T = 0.6;
    double Z = 0, sum = 0;
    constexpr int steps = 30000;
    for (int n = 0; n < steps; ++n) {
      const double s = 3 * (n + 0.5) / steps;
      const double energy = -J * (s * s - 3) / 2;
      const double weight = (s < 1 ? s * s / 2 : s * (3 - s) / 4) * std::exp(-energy / T);
      Z += weight;
      sum += weight * energy;
    }
    const std::string text =
        "[lattice]\ntype='chain'\nsize=[3]\n[[exchange]]\nshell=1\nJ=" + std::to_string(J) + "\n";
    expect_exact(average(text, T, energies), sum / Z / 3);
  }
}

/// In a ring of two cells, one spin is the neighbour of the other on both sides.
TEST_P(SpinClusters, TwoBondsOfOnePairCountTwice) {
  const std::string text = "[lattice]\ntype='chain'\nsize=[2]\n[[exchange]]\nshell=1\nJ=0.7\n";
  expect_exact(average(text, 0.9, energies), -0.7 * langevin(1.4 / 0.9));
}

TEST_P(SpinClusters, VacanciesAreNoPartOfThem) {
  const std::string text = chain("40",
                                 "[[exchange]]\nshell=1\nJ=1.2\n[[alloy]]\nby='vacancy'\n"
                                 "fraction=0.25\n");
  const lattice::Geometry geometry = study::build_geometry(study::parse_system(text, "test"));
  int bonds = 0;
  for (Index i = 0; i + 1 < 40; ++i)
    bonds += geometry.occupied(i) && geometry.occupied(i + 1) ? 1 : 0;
  ASSERT_GT(bonds, 10);
  expect_exact(average(text, 0.8, energies), -bonds * 1.2 * langevin(1.2 / 0.8) / 30);
}

TEST_P(SpinClusters, ReplicasHaveCouplingsOfTheirOwn) {
  constexpr Index replicas = 12, first = 3;
  constexpr double T = 0.6;
  ClusteredSpins spins(chain("8",
                             "[[exchange]]\nshell=1\nJ=0.2\ndisorder=0.9\ndisorder_seed=4\n"
                             "disorder_by_replica=true\n[[exchange]]\nshell=1\nJ=0.1\n"),
                       ReplicaShare(first, replicas, 20), T, test_device(1));
  const std::vector<double> all = series(spins, energies, 4000);
  for (Index r = 0; r < replicas; ++r) {
    double exact = 0;
    for (Index i = 0; i + 1 < 8; ++i) {
      const double J = 0.3 + 0.9 * lattice::pair_deviate(4, i, i + 1, first + r);
      exact -= J * langevin(J / T) / 8;
    }
    std::vector<double> own;
    for (std::size_t n = static_cast<std::size_t>(r); n < all.size(); n += replicas)
      own.push_back(all[n]);
    expect_exact(estimate_replicas(own, 1), exact, 0.02);
  }
}

struct Compared {
  const char* text;
  double temperature;
};

/// Ferromagnets near the transition, the corresponding antiferromagnet, and frustrated magnets.
const Compared compared[] = {
    {"[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n", 1.45},
    {"[lattice]\ntype='sc'\nsize=[4,4,4]\nmoment=[2.0]\n[[exchange]]\nshell=1\nJ=-1\n", 1.45},
    {"[lattice]\ntype='triangular'\nsize=[5,4]\n[[exchange]]\nshell=1\nJ=-1\n[[exchange]]\n"
     "shell=2\nJ=0.3\n",
     0.8},
    {"[lattice]\ntype='fcc'\nsize=[2,2,3]\n[[exchange]]\nshell=1\nJ=-1\n", 1.0},
};

TEST_P(SpinClustersInDepth, AveragesAreThoseOfTheHeatBath) {
  constexpr Index replicas = 32;
  for (const Compared& c : compared) {
    ClusteredSpins spins(c.text, replicas, c.temperature, test_device(2));
    TestSystem reference(c.text, replicas, 2);
    Sampler sampler =
        reference.sampler(sampler_settings(Update::heat_bath, true, 2), c.temperature, 5);
    reference.state.randomise(8);
    sampler.run(reference.state, 300);
    std::vector<double> e, m2, expected_e, expected_m2;
    const auto take = [](const study::SpinSystem& s, std::vector<double>& energy,
                         std::vector<double>& m) {
      const std::vector<double> own = energies(s), own_m = squares(s);
      energy.insert(energy.end(), own.begin(), own.end());
      m.insert(m.end(), own_m.begin(), own_m.end());
    };
    for (int n = 0; n < 300; ++n) spins.sweep(by_wolff());
    for (int n = 0; n < 1500; ++n) {
      sampler.run(reference.state, 1);
      take(reference, expected_e, expected_m2);
      spins.sweep(by_wolff());
      take(spins.system, e, m2);
    }
    const auto expect_equal = [&](const std::vector<double>& a, const std::vector<double>& b) {
      const Estimate x = estimate_replicas(a, replicas), y = estimate_replicas(b, replicas);
      const double error = std::hypot(x.error, y.error);
      EXPECT_LT(std::abs(x.value - y.value), sigmas_of_alpha * error)
          << c.text << x.value << " +- " << x.error << " against " << y.value << " +- " << y.error;
      EXPECT_LT(error, 0.03 * std::abs(y.value)) << c.text << "too coarse to notice anything";
    };
    expect_equal(e, expected_e);
    expect_equal(m2, expected_m2);
  }
}

TEST_P(SpinClusters, SumToTheSquareOfTheMagnetisation) {
  constexpr Index replicas = 32, sites = 64;
  for (const double temperature : {1.3, 2.5}) {
    ClusteredSpins spins("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n",
                         replicas, temperature, test_device(2));
    for (int n = 0; n < 200; ++n) spins.sweep(by_wolff());
    std::vector<double> plain, improved, difference;
    for (int n = 0; n < 1500; ++n) {
      spins.clusters.clear_sums();
      const std::vector<double> m2 = squares(spins.system);
      spins.sweep(by_wolff(), true);
      const auto sums = spins.clusters.sums();
      for (std::size_t r = 0; r < sums.size(); ++r) {
        EXPECT_EQ(sums[r].clusters.clusters, by_wolff() ? 3u : sums[r].clusters.clusters);
        improved.push_back(by_wolff() ? sums[r].wolff_order_squared(sites, 3) / 3
                                      : sums[r].order_squared(sites, 3));
        plain.push_back(m2[r]);
        difference.push_back(improved.back() - m2[r]);
      }
    }
    const Estimate none = estimate_replicas(difference, replicas);
    EXPECT_LT(std::abs(none.value), sigmas_of_alpha * none.error);
    EXPECT_LT(none.error, 0.05 * estimate_replicas(plain, replicas).value);
  }
}

TEST_P(SpinClusters, SpinsStayUnitVectors) {
  ClusteredSpins spins("[lattice]\ntype='sc'\nsize=[4,4,4]\n[[exchange]]\nshell=1\nJ=1\n", 3, 1.4,
                       test_device(1));
  for (int n = 0; n < 10000; ++n) spins.sweep(by_wolff());
  const bool single = spins.system.device.precision == Precision::single_numbers;
  for (const auto& e : spins.system.state.configuration(2))
    EXPECT_NEAR(dot(e, e), 1, single ? 1e-6 : 1e-13);
}

TEST_P(SpinClusters, SameBitsForAnyNumberOfThreads) {
  for (const Index replicas : {Index{1}, Index{3}, Index{20}}) {
    const char* const size = replicas == 20 ? "[6,6,6]" : "[21,21,21]";
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 7}) {
      ClusteredSpins spins(
          std::string("[lattice]\ntype='sc'\nsize=") + size + "\n[[exchange]]\nshell=1\nJ=1\n",
          replicas, 1.4, test_device(threads));
      for (int n = 0; n < 5; ++n) spins.sweep(by_wolff(), true);
      found.push_back(spins.configurations());
      for (const clusters::ReflectionSums& sums : spins.clusters.sums())
        found.back().push_back(sums.projection_squares);
    }
    EXPECT_EQ(found[0], found[1]) << replicas << " replicas";
    EXPECT_EQ(found[0], found[2]) << replicas << " replicas";
  }
}

TEST_P(SpinClusters, OfAProcessAreThoseOfTheStudy) {
  const std::string text =
      "[lattice]\ntype='square'\nsize=[6,5]\n[[exchange]]\nshell=1\nJ=0.4\ndisorder=0.5\n"
      "disorder_by_replica=true\n";
  ClusteredSpins whole(text, 12, 0.5, test_device(1)),
      part(text, ReplicaShare(8, 4, 12), 0.5, test_device(1));
  for (int n = 0; n < 10; ++n) {
    whole.sweep(by_wolff());
    part.sweep(by_wolff());
  }
  for (Index r = 0; r < 4; ++r)
    EXPECT_EQ(whole.system.state.configuration(8 + r), part.system.state.configuration(r));
}

const auto cluster_samplers =
    testing::Values(Named<bool>{"swendsen_wang", false}, Named<bool>{"wolff", true});
INSTANTIATE_TEST_SUITE_P(Samplers, SpinClusters, cluster_samplers, testing_support::by_name);
INSTANTIATE_TEST_SUITE_P(Depth, SpinClustersInDepth, cluster_samplers, testing_support::by_name);

/// Tests that the bonds give the energy of the model.
TEST(SpinClusterBonds, AreThoseOfTheModel) {
  const std::string text =
      "[lattice]\ntype='bcc'\nsize=[3,2,4]\nperiodic=[true,true,false]\n[[exchange]]\nshell=1\n"
      "J=1\n[[exchange]]\nshell=2\nJ=-0.5\n";
  const study::SystemTables tables = study::parse_system(text, "test");
  study::SpinSystem system(tables, Device::cpu(1));
  const clusters::ReflectionGraph graph =
      cluster_bonds(system.geometry, system.model,
                    study::lower_terms(tables, system.geometry, system.moments), 1);
  EXPECT_EQ(graph.sites(), 48);
  system.state.randomise(2);
  const auto e = system.state.configuration(0);
  double energy = 0;
  for (Index b = 0; b < graph.bonds(); ++b) {
    const auto site = [&](Index end) {
      return static_cast<std::size_t>(
          system.model.canonical()[graph.ends()[static_cast<std::size_t>(2 * b + end)]]);
    };
    energy -= static_cast<double>(graph.couplings()[static_cast<std::size_t>(b)]) *
              dot(e[site(0)], e[site(1)]);
  }
  EXPECT_NEAR(energy, 48 * energy_per_site(system.model, system.state)[0], 1e-12);
}

TEST(SpinClusterBonds, AreOfIsotropicExchangeAlone) {
  for (const char* const term :
       {"[[dmi]]\nshell=1\nstrength=0.2\ndirection='interface'\n", "[[anisotropy]]\nK=0.1\n",
        "[field]\nB=[0,0,1]\n", "[[biquadratic]]\nshell=1\nb=0.1\n",
        "[[random-field]]\nwidth=0.5\n", "[dipolar]\nstrength=0.1\nmethod='bonds'\n"}) {
    const std::string text =
        std::string("[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=1\n") + term;
    const study::SystemTables tables = study::parse_system(text, "test");
    const study::SpinSystem system(tables, Device::cpu(1));
    EXPECT_THROW(cluster_bonds(system.geometry, system.model,
                               study::lower_terms(tables, system.geometry, system.moments), 1),
                 InputError)
        << term;
  }
}

using SpinClusterStudies = testing_support::StudyTest;

TEST_F(SpinClusterStudies, MeasureClusters) {
  for (const char* const sampler : {"swendsen-wang", "wolff"}) {
    const bool wolff = sampler[0] == 'w';
    const auto results = results_of(
        "seed=4\nreplicas=32\n",
        std::string("[lattice]\ntype='sc'\nsize=[4,4,4]\nmoment=[1.5]\n[[exchange]]\nshell=1\nJ=1\n"
                    "[[stage]]\nkind='anneal'\ntemperature={from=3,to=1.5,factor=0.8}\nsweeps=20\n"
                    "sampler='") +
            sampler + "'\n[[stage]]\nkind='monte-carlo'\nsampler='" + sampler + "'\n" +
            (wolff ? "clusters=4\n" : "") +
            "over_relaxation=1\ntemperature=[1.5,1.4]\nthermalisation=100\nsweeps=1000\n"
            "measure_every=2\nmeasure=['energy','magnetisation','cluster-sizes',"
            "'improved-susceptibility']\n");
    const std::string stage = "/stages/02-monte-carlo/";
    const std::vector<double> m = results.read<double>(stage + "series/magnetisation/value");
    const auto m2 = results.read<double>(stage + "averages/improved_magnetisation_squared/value");
    const auto error =
        results.read<double>(stage + "averages/improved_magnetisation_squared/error");
    const auto chi = results.read<double>(stage + "averages/improved_susceptibility/value");
    ASSERT_EQ(m2.size(), 2u);
    const std::size_t samples = m.size() / (2 * 32 * 3);
    for (std::size_t point = 0; point < 2; ++point) {
      std::vector<double> plain;
      for (std::size_t n = point * samples * 32; n < (point + 1) * samples * 32; ++n)
        plain.push_back(m[3 * n] * m[3 * n] + m[3 * n + 1] * m[3 * n + 1] +
                        m[3 * n + 2] * m[3 * n + 2]);
      const Estimate e = estimate_replicas(plain, 32);
      EXPECT_LT(std::abs(e.value - m2[point]), sigmas_of_alpha * std::hypot(e.error, error[point]));
      EXPECT_LT(e.error, 0.03 * e.value);
      EXPECT_NEAR(chi[point], 64 * m2[point] / (point == 0 ? 1.5 : 1.4), 1e-9 * chi[point]);
    }
    const auto clusters = results.read<double>(
        stage + (wolff ? "averages/cluster_size/value" : "averages/clusters/value"));
    const auto largest = results.read<double>(stage + "averages/largest_cluster/value");
    for (std::size_t point = 0; point < 2; ++point) {
      EXPECT_GT(clusters[point], 0.02);
      EXPECT_LT(clusters[point], 1);
      EXPECT_GT(largest[point], 0.1);
      EXPECT_LT(largest[point], 1);
    }
  }
}

}  // namespace larmor::spin_clusters_tests
