// Population annealing compared with the enumeration of all states: free energies, entropies and
// energies at every temperature. Errors must match the deviations.
// Rooms: tempering, study

#include <cstdint>
#include <numbers>
#include <tuple>

#include "larmor/core/maths/philox.hpp"
#include "small_models.hpp"
#include "tests/named.hpp"

namespace larmor::population_annealing_tests {

using namespace testing_support;

/// Exact quantities at a temperature, per site.
struct Exact {
  double energy, specific_heat, free_energy, entropy;
};

/// The number of states at each energy, for Ising spins with couplings 1 or -1.
class EnergyLevels {
 public:
  /// A Gray code visits states that differ by one spin (F. Gray). The last spin stays up. A
  /// reversal of all spins gives the other half of the states.
  explicit EnergyLevels(const SmallModel& model) : sites_(model.sites) {
    std::vector<std::vector<std::pair<int, int>>> bonds(static_cast<std::size_t>(sites_));
    int energy = 0;
    for (const CoupledPair& bond : model.bonds) {
      const int J = bond.J > 0 ? 1 : -1;
      bonds[static_cast<std::size_t>(bond.i)].emplace_back(bond.j, J);
      bonds[static_cast<std::size_t>(bond.j)].emplace_back(bond.i, J);
      energy -= J;
    }
    lowest_ = -static_cast<int>(model.bonds.size());
    states_.resize(2 * model.bonds.size() + 1);
    std::vector<int> spin(static_cast<std::size_t>(sites_), 1);
    const std::uint64_t half = std::uint64_t{1} << (sites_ - 1);
    for (std::uint64_t n = 1;; ++n) {
      states_[static_cast<std::size_t>(energy - lowest_)] += 2;
      if (n == half) break;
      const auto site = static_cast<std::size_t>(std::countr_zero(n));
      int field = 0;
      for (const auto& [other, J] : bonds[site]) field += J * spin[static_cast<std::size_t>(other)];
      energy += 2 * spin[site] * field;
      spin[site] = -spin[site];
    }
  }

  Exact at(double T) const {
    const double zero = ground_state();
    double Z = 0, e = 0, e2 = 0;
    for (std::size_t n = 0; n < states_.size(); ++n) {
      const double E = static_cast<double>(n) + lowest_,
                   weight = states_[n] * std::exp((zero - E) / T);
      Z += weight;
      e += weight * E;
      e2 += weight * E * E;
    }
    e /= Z, e2 /= Z;
    const double log_Z = std::log(Z) - zero / T;
    return {e / sites_, (e2 - e * e) / (T * T * sites_), -T * log_Z / sites_,
            (log_Z + e / T) / sites_};
  }
  double ground_state() const {
    std::size_t n = 0;
    while (states_[n] == 0) ++n;
    return static_cast<double>(n) + lowest_;
  }

 private:
  int sites_, lowest_ = 0;
  std::vector<double> states_;  ///< by energy, starting at `lowest_`
};

/// A model, and its exact results at a temperature.
struct System {
  std::string tables;
  std::function<Exact(double T)> exact;
};

class PopulationAnnealing : public StudyTest {
 protected:
  /// The tables of the study. They name a separate file that lists the bonds.
  std::string tables_of(const SmallModel& model) const {
    std::ostringstream bonds;
    for (const CoupledPair& bond : model.bonds)
      bonds << bond.i << " " << bond.j << " " << bond.J << "\n";
    write_file("bonds.txt", bonds.str());
    return "[model]\nkind='ising'\n[lattice]\nsites=" + std::to_string(model.sites) +
           "\n[[exchange]]\nfile='bonds.txt'\n";
  }
  /// A model with random signs of couplings +-J.
  static SmallModel glass(const std::vector<int>& size) {
    SmallModel model = periodic_grid(size, 2, true);
    for (std::size_t n = 0; n < model.bonds.size(); ++n)
      model.bonds[n].J =
          philox<std::uint64_t>({17, 0, Stream::bond_sign}, n, 0).w[0] % 2 == 0 ? 1 : -1;
    return model;
  }
  /// Exact results of O(3) spins in an open chain. Each bond turns freely: Z = (4 pi)^N (sinh(b) /
  /// b)^(N-1).
  static Exact chain(int sites, double T) {
    const double b = 1 / T, bonds = (sites - 1.0) / sites;
    const double log_Z = std::log(4 * std::numbers::pi) + bonds * std::log(std::sinh(b) / b);
    const double energy = -bonds * (1 / std::tanh(b) - T);
    const double c = bonds * (1 - b * b / (std::sinh(b) * std::sinh(b)));
    return {energy, c, -T * log_Z, log_Z + b * energy};
  }
  static System open_chain() {
    return {"[lattice]\ntype='chain'\nsize=[6]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n",
            [](double T) { return chain(6, T); }};
  }

  /// The values (measured - exact) / error for every quantity and temperature, from runs with
  /// different seeds.
  void expect_exact(const System& system, const std::string& keys, int runs,
                    const std::string& replicas = "replicas=1200\n") const {
    constexpr std::array<const char*, 4> names{"energy", "specific_heat", "free_energy", "entropy"};
    std::map<std::pair<double, std::string>, std::vector<double>> pulls;
    for (int run = 0; run < runs; ++run) {
      const io::ResultsReader results =
          results_of(replicas + "seed=" + std::to_string(run + 1) + "\n",
                     system.tables + "[[stage]]\nkind='population-annealing'\n" + keys);
      const std::string at = "/stages/01-population-annealing/";
      const auto T = results.read<double>(at + "temperature");
      for (const char* name : names) {
        const auto value = results.read<double>(at + "averages/" + name + "/value");
        const auto error = results.read<double>(at + "averages/" + name + "/error");
        ASSERT_EQ(value.size(), T.size());
        for (std::size_t t = 0; t < T.size(); ++t) {
          const Exact exact = system.exact(T[t]);
          const std::array<double, 4> numbers{exact.energy, exact.specific_heat, exact.free_energy,
                                              exact.entropy};
          const double wanted = numbers[static_cast<std::size_t>(
              std::find(names.begin(), names.end(), name) - names.begin())];
          pulls[{T[t], name}].push_back((value[t] - wanted) / error[t]);
          EXPECT_LT(error[t], 0.1) << "too coarse to notice anything";
        }
      }
    }
    ASSERT_FALSE(pulls.empty());
    for (const auto& [point, of_runs] : pulls) {
      double mean = 0, square = 0;
      for (const double pull : of_runs) {
        mean += pull / runs;
        square += pull * pull / runs;
      }
      EXPECT_LT(std::abs(mean), 3.5 / std::sqrt(runs)) << point.second << " at T = " << point.first;
      EXPECT_GT(square, 1 - 3.5 * std::sqrt(2.0 / runs))
          << point.second << " at T = " << point.first;
      EXPECT_LT(square, 1 + 4.5 * std::sqrt(2.0 / runs))
          << point.second << " at T = " << point.first;
    }
  }
};

using PopulationAnnealingInDepth = PopulationAnnealing;

const std::string square_tables =
    "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=1\n";
const std::string falling = "temperature=[14.0,7.0,4.5,3.4,2.8,2.4,2.1,1.8]\n";
const std::string falling_of_chain = "temperature=[2.0,1.0,0.6,0.4,0.3]\nsweeps=40\n";

TEST_F(PopulationAnnealing, FreeEnergyOfASquareIsTheEnumerated) {
  const EnergyLevels levels(periodic_grid({4, 4}, 2, true));
  const System square{square_tables, [&](double T) { return levels.at(T); }};
  expect_exact(square, falling + "sweeps=6\nsampler='metropolis'\n", 40);
}

TEST_F(PopulationAnnealingInDepth, FreeEnergyOfASquareIsTheEnumeratedByOtherSamplers) {
  const EnergyLevels levels(periodic_grid({4, 4}, 2, true));
  const System square{square_tables, [&](double T) { return levels.at(T); }};
  expect_exact(square, falling + "sweeps=6\nsampler='heat-bath'\nresampling='systematic'\n", 40);
  expect_exact(square, falling + "sweeps=1\nsampler='swendsen-wang'\n", 30);
}

TEST_F(PopulationAnnealing, CopiesBearWhatFewSweepsLeave) {
  // If replicas were not copied, one sweep per temperature would be too few.
  const EnergyLevels levels(periodic_grid({4, 4}, 2, true));
  const System square{square_tables, [&](double T) { return levels.at(T); }};
  expect_exact(square, falling + "sweeps=1\nsampler='heat-bath'\n", 40);
}

TEST_F(PopulationAnnealingInDepth, FreeEnergyOfASpinGlassIsTheEnumerated) {
  const SmallModel model = glass({3, 3, 3});
  const EnergyLevels levels(model);
  const System sample{tables_of(model), [&](double T) { return levels.at(T); }};
  expect_exact(sample,
               "temperature=[12.0,6.0,4.0,3.0,2.3,1.8,1.4,1.1]\nsweeps=10\nsampler='metropolis'\n",
               40);
}

TEST_F(PopulationAnnealing, FreeEnergyOfVectorSpinsIsTheExact) {
  expect_exact(open_chain(), falling_of_chain + "sampler='metropolis'\n", 40, "replicas=600\n");
}

TEST_F(PopulationAnnealingInDepth, FreeEnergyOfVectorSpinsInAHeatBathIsTheExact) {
  expect_exact(open_chain(), falling_of_chain + "sampler='heat-bath'\n", 40, "replicas=600\n");
}

TEST_F(PopulationAnnealing, ChoosesStepsOfTheOverlapAskedFor) {
  const io::ResultsReader results = results_of(
      "replicas=2000\n",
      "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[stage]]\nkind='population-annealing'\ntemperature={to=1.5,overlap=0.8}\nsweeps=4\n");
  const std::string at = "/stages/01-population-annealing/";
  const auto T = results.read<double>(at + "temperature");
  const auto overlap = results.read<double>(at + "population/overlap");
  ASSERT_GT(T.size(), 5u);
  EXPECT_EQ(T.back(), 1.5);
  for (std::size_t t = 0; t + 1 < T.size(); ++t) {
    EXPECT_GT(T[t], T[t + 1]);
    EXPECT_NEAR(overlap[t], 0.8, 1e-4);
  }
  EXPECT_GE(overlap.back(), 0.8);
}

TEST_F(PopulationAnnealing, MeasuresWhatConfigurationsHave) {
  const io::ResultsReader results =
      results_of("replicas=4000\n", square_tables + "[[stage]]\nkind='population-annealing'\n" +
                                        falling + "measure=['correlation-length']\n");
  const std::string at = "/stages/01-population-annealing/";
  const auto T = results.read<double>(at + "temperature");
  const auto read = [&](const std::string& name, const std::string& what) {
    return results.read<double>(at + "averages/" + name + "/" + what);
  };
  const auto m2 = read("magnetisation_squared", "value"),
             error = read("magnetisation_squared", "error"),
             length = read("correlation_length_x", "value"),
             length_error = read("correlation_length_x", "error"),
             structure = read("structure_factor_x", "value");
  ASSERT_EQ(length.size(), T.size());
  const SmallModel model = periodic_grid({4, 4}, 2, true);
  for (std::size_t t = 0; t < T.size(); ++t) {
    // The susceptibility is chi = N (<m^2> - <|m|>^2) / T.
    const auto exact = enumerated(model, T[t]);
    const double m = exact.at("magnetisation");
    EXPECT_NEAR(m2[t], exact.at("susceptibility") * T[t] / 16 + m * m, 4 * error[t]) << T[t];
    EXPECT_LT(error[t], 0.03);
    // The length follows from the ratio of the means in the results, except for the correction of
    // the bias.
    EXPECT_NEAR(length[t],
                std::sqrt(16 * m2[t] / structure[t] - 1) / (2 * std::sin(0.785398163397)),
                0.5 * length_error[t]);
    EXPECT_LT(length_error[t], 0.2 * length[t] + 0.1);
  }
}

TEST_F(PopulationAnnealing, FindsGroundStates) {
  const SmallModel model = glass({3, 3, 3});
  const io::ResultsReader results =
      results_of("replicas=500\n", tables_of(model) +
                                       "[[stage]]\nkind='population-annealing'\n"
                                       "temperature={to=0.3,overlap=0.8}\nsweeps=10\n");
  const std::string at = "/stages/01-population-annealing/lowest-state";
  const double energy = results.attributes(at).at("energy").number();
  EXPECT_NEAR(energy, EnergyLevels(model).ground_state() / model.sites, 1e-12);
  std::vector<int> states;
  for (const int spin : results.read<std::int32_t>(at + "/configuration"))
    states.push_back(spin > 0 ? 0 : 1);
  ASSERT_EQ(states.size(), 27u);
  EXPECT_NEAR(energy_of(model, states) / model.sites, energy, 1e-12);
  EXPECT_GT(results.attributes(at).at("replicas").integer(), 50);
  EXPECT_GT(results.attributes(at).at("families").integer(), 5);
}

TEST_F(PopulationAnnealing, LeavesAllReplicasInEquilibrium) {
  const EnergyLevels levels(periodic_grid({4, 4}, 2, true));
  const io::ResultsReader results = results_of(
      "replicas=2000\n",
      "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[stage]]\nkind='population-annealing'\npopulation=1000\ntemperature=[4.0,2.5,1.5]\n"
      "sweeps=10\n[[stage]]\nkind='monte-carlo'\ntemperature=1.5\nthermalisation=0\nsweeps=1\n"
      "measure_every=1\n");
  // Half of the replicas are copies of other replicas, and errors do not include this.
  const std::string at = "/stages/02-monte-carlo/averages/energy/";
  EXPECT_NEAR(results.read<double>(at + "value")[0], levels.at(1.5).energy,
              5 * results.read<double>(at + "error")[0]);
}

}  // namespace larmor::population_annealing_tests
