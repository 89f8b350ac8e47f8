// Studies of Ising and Potts models by clusters: averages compared with enumeration and closed
// forms, and measurements of the clusters.
// Rooms: ising, study

#include <gtest/gtest.h>

#include <bit>

#include "larmor/ising/torus.hpp"
#include "larmor/lattice/quenched_disorder.hpp"
#include "small_models.hpp"

namespace larmor::cluster_sampling_tests {
namespace {

using namespace testing_support;

const double critical = 2 / std::log(1 + std::sqrt(2.0));

struct ClusterSampler {
  const char* name;
  const char* keys;
};
constexpr std::array<ClusterSampler, 2> samplers{ClusterSampler{"swendsen-wang", ""},
                                                 ClusterSampler{"wolff", "clusters=3\n"}};

std::string lattice_of(const std::string& kind, const std::string& type, const std::string& size,
                       const std::string& J = "1") {
  return "[model]\nkind='" + kind + "'\n[lattice]\ntype='" + type + "'\nsize=" + size +
         "\n[[exchange]]\nshell=1\nJ=" + J + "\n";
}

using ClusterSampling = DiscreteModels;
using ClusterSamplingInDepth = DiscreteModels;

TEST_F(ClusterSamplingInDepth, IsingAveragesOfAPeriodicSquareAreTheEnumerated) {
  const SmallModel model = periodic_grid({4, 4}, 2, true);
  std::vector<double> all;
  for (const double T : {2.0, critical, 2.5})
    for (const ClusterSampler& sampler : samplers)
      for (const double pull : pulls(lattice_of("ising", "square", "[4,4]"), sampler.name, T,
                                     enumerated(model, T), 256, 1000, sampler.keys))
        all.push_back(pull);
  expect_chi_square(all);
}

TEST_F(ClusterSampling, PottsAveragesOfOddLatticesAreTheEnumerated) {
  std::vector<double> all;
  for (const int states : {3, 4})
    for (const ClusterSampler& sampler : samplers)
      for (const double T : {0.8, 1.2}) {
        const std::string tables = lattice_of("potts", "square", "[3,3]") +
                                   "[potts]\nstates=" + std::to_string(states) + "\n";
        for (const double pull :
             pulls(tables, sampler.name, T, enumerated(periodic_grid({3, 3}, states, false), T),
                   256, 1000, sampler.keys))
          all.push_back(pull);
      }
  expect_chi_square(all);
}

/// Counts states of 3 x 3 x 3 spins by the sum over bonds of s s' and the sum of s. The last spin
/// stays up.
class OddCube {
 public:
  static constexpr int sites = 27, bonds = 81;

  OddCube() : states_(static_cast<std::size_t>((2 * bonds + 1) * (2 * sites + 1))) {
    std::array<unsigned, sites> next{};
    for (const CoupledPair& bond : periodic_grid({3, 3, 3}, 2, true).bonds) {
      next[static_cast<std::size_t>(bond.i)] |= 1u << bond.j;
      next[static_cast<std::size_t>(bond.j)] |= 1u << bond.i;
    }
    unsigned down = 0;
    int sum = bonds, spins = sites;
    for (unsigned n = 1; n <= 1u << (sites - 1); ++n) {
      ++states_[static_cast<std::size_t>((sum + bonds) * (2 * sites + 1) + spins + sites)];
      // A Gray code changes one spin at a time.
      const auto site = static_cast<std::size_t>(std::countr_zero(n));
      const bool was_down = (down >> site & 1u) != 0;
      const int unlike = std::popcount(next[site] & (was_down ? ~down : down));
      sum -= 2 * (6 - 2 * unlike);
      spins += was_down ? 2 : -2;
      down ^= 1u << site;
    }
  }

  std::map<std::string, double> averages(double J, double T) const {
    double Z = 0, e = 0, e2 = 0, m = 0, m2 = 0, m4 = 0;
    for (int sum = -bonds; sum <= bonds; ++sum)
      for (int spins = -sites; spins <= sites; ++spins) {
        const double count = static_cast<double>(
            states_[static_cast<std::size_t>((sum + bonds) * (2 * sites + 1) + spins + sites)]);
        const double energy = -J * sum, order = std::abs(spins) / static_cast<double>(sites);
        const double weight = count * std::exp(-(energy + bonds) / T);
        Z += weight, e += weight * energy, e2 += weight * energy * energy;
        m += weight * order, m2 += weight * std::pow(order, 2), m4 += weight * std::pow(order, 4);
      }
    e /= Z, e2 /= Z, m /= Z, m2 /= Z, m4 /= Z;
    return {{"energy", e / sites},
            {"magnetisation", m},
            {"specific_heat", (e2 - e * e) / (sites * T * T)},
            {"susceptibility", sites * (m2 - m * m) / T},
            {"binder_cumulant", 1 - m4 / (3 * m2 * m2)}};
  }

 private:
  std::vector<std::uint64_t> states_;
};

/// The systems are the ferromagnet, and the antiferromagnet, which odd loops frustrate.
TEST_F(ClusterSamplingInDepth, AveragesOfAnOddCubeAreTheEnumerated) {
  const OddCube cube;
  std::vector<double> all;
  for (const double J : {1.0, -1.0})
    for (const ClusterSampler& sampler : samplers)
      for (const double pull :
           pulls(lattice_of("ising", "sc", "[3,3,3]", J > 0 ? "1" : "-1"), sampler.name, 4.2,
                 cube.averages(J, 4.2), 256, 2000, sampler.keys))
        all.push_back(pull);
  expect_chi_square(all);
}

/// The graph has couplings of both signs, which all differ in size.
TEST_F(ClusterSamplingInDepth, AveragesOfARandomGraphAreTheEnumerated) {
  std::string pairs;
  SmallModel model;
  model.sites = 14;
  for (int i = 0; i < 14; ++i)
    for (const int step : {1, 4, 6}) {
      const int j = (i + step) % 14;
      model.bonds.push_back({i, j, 0.2 + 0.7 * lattice::pair_deviate(5, i, j, 0)});
      pairs += "[" + std::to_string(i) + "," + std::to_string(j) + "],";
    }
  const std::string tables =
      "[model]\nkind='ising'\n[lattice]\nsites=14\n[[exchange]]\nJ=0.2\ndisorder=0.7\n"
      "disorder_seed=5\npairs=[" +
      pairs + "]\n";
  for (const ClusterSampler& sampler : samplers)
    pulls(tables, sampler.name, 1.5, enumerated(model, 1.5), 512, 2000, sampler.keys);
}

/// Grids and general graphs draw equal samples of disorder, one for each replica.
TEST_F(ClusterSampling, EnergiesOfSamplesAreThoseOfTheConfigurations) {
  for (const std::string distribution : {"normal", "bimodal", "uniform"})
    for (const bool is_grid : {true, false}) {
      const std::string tables =
          "[model]\nkind='ising'\n[lattice]\ntype='sc'\nsize=[3,4,5]\n[[exchange]]\n" +
          std::string(is_grid ? "shell=1" : "shell=2") +
          "\nJ=0.25\ndisorder=1\ndisorder_distribution='" + distribution +
          "'\ndisorder_by_replica=true\ndisorder_seed=8\n[[stage]]\nkind='monte-carlo'\n"
          "temperature=1.5\nthermalisation=0\nsweeps=5\nmeasure_every=5\nkeep_configurations=9\n"
          "sampler='";
      const io::ResultsReader results = results_of("replicas=9\nseed=4\n", tables + "wolff'\n");
      const std::vector<double> s = results.read<double>("/stages/01-monte-carlo/configuration");
      const std::vector<double> energy =
          results.read<double>("/stages/01-monte-carlo/series/energy/value");
      for (Index replica = 0; replica < 9; ++replica) {
        double sum = 0;
        const auto add = [&](int i, int j) {
          const double deviate = lattice::pair_deviate(8, i, j, replica);
          const double J =
              0.25 + (distribution == "normal"    ? deviate
                      : distribution == "bimodal" ? std::copysign(1, deviate)
                                                  : lattice::pair_uniform(8, i, j, replica));
          sum -= J * s[static_cast<std::size_t>(60 * replica + i)] *
                 s[static_cast<std::size_t>(60 * replica + j)];
        };
        const auto site = [](int x, int y, int z) { return x % 3 + 3 * (y % 4 + 4 * (z % 5)); };
        for (int z = 0; z < 5; ++z)
          for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 3; ++x) {
              const int i = site(x, y, z);
              if (is_grid) {
                for (const int j : {site(x + 1, y, z), site(x, y + 1, z), site(x, y, z + 1)})
                  add(i, j);
                continue;
              }
              for (const int j :
                   {site(x + 1, y + 1, z), site(x + 1, y + 3, z), site(x + 1, y, z + 1),
                    site(x + 1, y, z + 4), site(x, y + 1, z + 1), site(x, y + 1, z + 4)})
                add(i, j);
            }
        EXPECT_NEAR(energy[static_cast<std::size_t>(replica)], sum / 60, 1e-10)
            << replica << ", " << distribution << (is_grid ? ", grid" : ", graph");
      }
    }
}

/// A bond of a chain is active with the probability t = tanh(J / T), independently of all other
/// bonds.
TEST_F(ClusterSampling, ClustersOfAChainHaveTheirExactSizes) {
  constexpr int N = 24;
  const double T = 0.9, t = std::tanh(1 / T);
  std::array<double, N + 1> clusters{};
  for (int size = 1; size <= N; ++size) {
    const double inside = std::pow(t, size - 1);
    clusters[static_cast<std::size_t>(size)] =
        size == N ? inside : inside * ((N - size - 1) * (1 - t) * (1 - t) + 2 * (1 - t));
  }
  double squares = 0;
  for (int size = 1; size <= N; ++size)
    squares += size * size * clusters[static_cast<std::size_t>(size)];
  for (const ClusterSampler& sampler : samplers) {
    const io::ResultsReader results = results_of(
        "replicas=64\nseed=3\n",
        "[model]\nkind='ising'\n[lattice]\ntype='chain'\nsize=[24]\nperiodic=false\n[[exchange]]\n"
        "shell=1\nJ=1\n[[stage]]\nkind='monte-carlo'\ntemperature=0.9\nthermalisation=200\n"
        "sweeps=4000\nmeasure_every=2\nmeasure=['cluster-sizes','improved-susceptibility']\n"
        "sampler='" +
            std::string(sampler.name) + "'\n" + sampler.keys);
    const std::string stage = "/stages/01-monte-carlo/";
    const auto expect = [&](const std::string& name, double exact) {
      const double value = results.read<double>(stage + name + "/value")[0];
      const double error = results.read<double>(stage + name + "/error")[0];
      EXPECT_LT(std::abs(value - exact), 4.5 * error)
          << name << " of " << sampler.name << ": " << value << " +- " << error << ", exactly "
          << exact;
      EXPECT_LT(error, 0.01 * exact) << "too coarse to notice anything";
    };
    const bool grown = std::string(sampler.name) == "wolff";
    expect("averages/improved_magnetisation_squared", squares / (N * N));
    expect("averages/improved_susceptibility", squares / (N * T));
    if (!grown) expect("averages/clusters", (N - (N - 1) * t) / N);
    const std::vector<double> size = results.read<double>(stage + "cluster-sizes/size");
    const std::vector<double> value = results.read<double>(stage + "cluster-sizes/value");
    const std::vector<double> error = results.read<double>(stage + "cluster-sizes/error");
    ASSERT_EQ(size.size(), 5U);
    for (std::size_t k = 0; k < size.size(); ++k) {
      double exact = 0;
      for (int s = static_cast<int>(size[k]); s < 2 * size[k] && s <= N; ++s)
        exact += (grown ? s : 1) * clusters[static_cast<std::size_t>(s)] / N;
      EXPECT_LT(std::abs(value[k] - exact), 4.5 * error[k]) << size[k] << " of " << sampler.name;
      EXPECT_LT(error[k], 0.02 * exact);
    }
  }
}

/// The energy and specific heat are those of periodic lattices.
TEST_F(ClusterSamplingInDepth, EnergyOfTheTorusIsKaufmans) {
  struct Torus {
    int size;
    double T;
    const char* sampler;
    int clusters, replicas, sweeps;
    double most_error;
  };
  for (const Torus& torus : {Torus{8, 2.0, "swendsen-wang", 0, 64, 4000, 1.5e-3},
                             Torus{16, critical, "wolff", 2, 32, 5000, 1.5e-3},
                             Torus{32, 2.5, "swendsen-wang", 0, 16, 3000, 1.2e-3},
                             Torus{64, critical, "swendsen-wang", 0, 16, 1000, 1.6e-3},
                             Torus{64, 2.0, "wolff", 1, 16, 1500, 6e-4}}) {
    std::ostringstream tables;
    tables.precision(17);
    tables << lattice_of("ising", "square",
                         "[" + std::to_string(torus.size) + "," + std::to_string(torus.size) + "]")
           << "[initial]\nstate='aligned'\n[[stage]]\nkind='monte-carlo'\nthermalisation=300\n"
           << "measure_every=2\ntemperature=" << torus.T << "\nsweeps=" << torus.sweeps
           << "\nsampler='" << torus.sampler << "'\n";
    if (torus.clusters > 0) tables << "clusters=" << torus.clusters << "\n";
    const io::ResultsReader results =
        results_of("replicas=" + std::to_string(torus.replicas) + "\nseed=6\n", tables.str());
    const auto expect = [&](const std::string& name, double exact, double most_error) {
      const std::string at = "/stages/01-monte-carlo/averages/" + name;
      const double value = results.read<double>(at + "/value")[0];
      const double error = results.read<double>(at + "/error")[0];
      EXPECT_LT(std::abs(value - exact), 4 * error)
          << name << " of " << torus.size << ", T = " << torus.T << ", " << torus.sampler << ": "
          << value << " +- " << error << ", exactly " << exact;
      EXPECT_LT(error, most_error) << name << " of " << torus.size << ", T = " << torus.T;
    };
    expect("energy", ising::torus_energy(torus.size, torus.T), torus.most_error);
    expect("specific_heat", ising::torus_specific_heat(torus.size, torus.T), 0.1);
  }
}

}  // namespace
}  // namespace larmor::cluster_sampling_tests
