// Ising and Potts models against the enumeration of all their states.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "larmor/lattice/quenched_disorder.hpp"
#include "study_test.hpp"

namespace larmor {
namespace {

struct CoupledPair {
  int i, j;
  double J;
};

/// A model as the enumeration knows it.
struct SmallModel {
  int sites = 0;
  int states = 2;
  bool ising = true;
  std::vector<CoupledPair> bonds;
  double field = 0;
};

double energy_of(const SmallModel& model, const std::vector<int>& s) {
  const auto same = [&](int a, int b) {
    const double delta = a == b ? 1 : 0;
    return model.ising ? 2 * delta - 1 : delta;
  };
  double energy = 0;
  for (const CoupledPair& bond : model.bonds)
    energy -=
        bond.J * same(s[static_cast<std::size_t>(bond.i)], s[static_cast<std::size_t>(bond.j)]);
  for (const int state : s) energy -= model.field * same(state, 0);
  return energy;
}

double order_squared(const SmallModel& model, const std::vector<int>& s) {
  std::vector<double> share(static_cast<std::size_t>(model.states));
  for (const int state : s) share[static_cast<std::size_t>(state)] += 1.0 / model.sites;
  double sum = 0;
  for (const double x : share) sum += x * x;
  const double q = model.states;
  return std::max(0.0, (q * sum - 1) / (q - 1));
}

/// Averages by their names in the results.
std::map<std::string, double> enumerated(const SmallModel& model, double T) {
  std::vector<int> s(static_cast<std::size_t>(model.sites));
  double Z = 0, e = 0, e2 = 0, m = 0, m2 = 0, m4 = 0;
  const double zero = energy_of(model, s);
  for (bool more = true; more;) {
    const double energy = energy_of(model, s), order = order_squared(model, s);
    const double weight = std::exp(-(energy - zero) / T);
    Z += weight;
    e += weight * energy;
    e2 += weight * energy * energy;
    m += weight * std::sqrt(order);
    m2 += weight * order;
    m4 += weight * order * order;
    more = false;
    for (int& state : s) {
      state = state + 1 < model.states ? state + 1 : 0;
      if (state != 0) {
        more = true;
        break;
      }
    }
  }
  const double N = model.sites;
  e /= Z, e2 /= Z, m /= Z, m2 /= Z, m4 /= Z;
  return {{"energy", e / N},
          {"magnetisation", m},
          {"specific_heat", (e2 - e * e) / (N * T * T)},
          {"susceptibility", N * (m2 - m * m) / T},
          {"binder_cumulant", 1 - m4 / (3 * m2 * m2)}};
}

/// Square or cubic, periodic, with bonds along +axis.
SmallModel periodic_grid(const std::vector<int>& size, int states, bool ising) {
  SmallModel model;
  model.states = states;
  model.ising = ising;
  model.sites = 1;
  for (const int length : size) model.sites *= length;
  for (int site = 0; site < model.sites; ++site) {
    int stride = 1;
    for (const int length : size) {
      const int x = site / stride % length;
      model.bonds.push_back({site, site + stride * ((x + 1) % length - x), 1.0});
      stride *= length;
    }
  }
  return model;
}

constexpr std::array<const char*, 3> samplers{"metropolis", "glauber", "heat-bath"};
constexpr std::array<const char*, 5> quantities{"energy", "magnetisation", "specific_heat",
                                                "susceptibility", "binder_cumulant"};

class DiscreteModels : public testing_support::StudyTest {
 protected:
  /// (measured - exact) / error of every quantity.
  std::vector<double> pulls(const std::string& tables, const std::string& sampler, double T,
                            const SmallModel& model, int replicas = 512, int sweeps = 2000) const {
    std::ostringstream stage;
    stage.precision(17);
    stage << "[[stage]]\nkind='monte-carlo'\ntemperature=" << T << "\nsampler='" << sampler
          << "'\nthermalisation=200\nsweeps=" << sweeps << "\nmeasure_every=2\n";
    const io::ResultsReader results =
        results_of("replicas=" + std::to_string(replicas) + "\nseed=11\n", tables + stage.str());
    const std::map<std::string, double> exact = enumerated(model, T);
    std::vector<double> all;
    for (const char* name : quantities) {
      const std::string at = std::string("/stages/01-monte-carlo/averages/") + name;
      const double value = results.read<double>(at + "/value")[0];
      const double error = results.read<double>(at + "/error")[0];
      all.push_back((value - exact.at(name)) / error);
      EXPECT_LT(std::abs(all.back()), 4.5)
          << name << " of " << sampler << " at T = " << T << ": " << value << " +- " << error
          << ", exactly " << exact.at(name);
    }
    return all;
  }
};

/// Neither farther from the exact values than errors allow, nor nearer: errors are right.
void expect_chi_square(const std::vector<double>& pulls) {
  double sum = 0;
  for (const double pull : pulls) sum += pull * pull;
  const auto count = static_cast<double>(pulls.size());
  EXPECT_GT(sum / count, 0.4) << "errors are too large";
  EXPECT_LT(sum / count, 1.9) << "errors are too small";
}

TEST_F(DiscreteModels, IsingAveragesOfAPeriodicSquareAreTheEnumerated) {
  const std::string tables =
      "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[4,4]\n[[exchange]]\nshell=1\nJ=1\n";
  const SmallModel model = periodic_grid({4, 4}, 2, true);
  std::vector<double> all;
  for (const double T : {2.0, 2.0 / std::log(1 + std::sqrt(2.0)), 2.5})
    for (const char* sampler : samplers)
      for (const double pull : pulls(tables, sampler, T, model)) all.push_back(pull);
  ASSERT_GE(all.size(), 40U);
  expect_chi_square(all);
}

TEST_F(DiscreteModels, PottsAveragesOfOddLatticesAreTheEnumerated) {
  const auto tables = [](int states) {
    return "[model]\nkind='potts'\n[potts]\nstates=" + std::to_string(states) +
           "\n[lattice]\ntype='square'\nsize=[3,3]\n[[exchange]]\nshell=1\nJ=1\n";
  };
  std::vector<double> all;
  for (const int states : {3, 4})
    for (const char* sampler : samplers)
      for (const double T : {0.8, 1.2})
        for (const double pull :
             pulls(tables(states), sampler, T, periodic_grid({3, 3}, states, false)))
          all.push_back(pull);
  ASSERT_GE(all.size(), 40U);
  expect_chi_square(all);
}

/// A graph without any symmetry, with couplings of both signs and a field.
TEST_F(DiscreteModels, AveragesOfARandomGraphAreTheEnumerated) {
  std::string pairs;
  SmallModel model;
  model.sites = 14;
  model.field = 0.3;
  for (int i = 0; i < 14; ++i)
    for (const int step : {1, 3, 6}) {
      const int j = (i * i + step + i) % 14;
      if (i == j) continue;
      bool known = false;
      for (const CoupledPair& bond : model.bonds)
        known = known || (bond.i == i && bond.j == j) || (bond.i == j && bond.j == i);
      if (known) continue;
      model.bonds.push_back({i, j, 0.1 + 0.7 * lattice::pair_deviate(5, i, j, 0)});
      pairs += "[" + std::to_string(i) + "," + std::to_string(j) + "],";
    }
  const std::string tables =
      "[model]\nkind='ising'\n[lattice]\nsites=14\n[field]\nh=0.3\n[[exchange]]\nJ=0.1\n"
      "disorder=0.7\ndisorder_seed=5\npairs=[" +
      pairs + "]\n";
  for (const char* sampler : samplers) pulls(tables, sampler, 1.1, model);
}

/// Couplings of their own for every replica, and energies that are exact sums of them.
TEST_F(DiscreteModels, EnergiesOfBimodalCouplingsAreThoseOfTheConfigurations) {
  const std::string tables =
      "[model]\nkind='ising'\n[lattice]\ntype='sc'\nsize=[3,4,5]\n[[exchange]]\nshell=1\nJ=0\n"
      "disorder=1\ndisorder_distribution='bimodal'\ndisorder_by_replica=true\ndisorder_seed=8\n"
      "[[stage]]\nkind='monte-carlo'\ntemperature=1.5\nthermalisation=0\nsweeps=5\n"
      "measure_every=5\nkeep_configurations=9\n";
  const io::ResultsReader results = results_of("replicas=9\nseed=4\n", tables);
  const std::vector<double> s = results.read<double>("/stages/01-monte-carlo/configuration");
  const std::vector<double> energy =
      results.read<double>("/stages/01-monte-carlo/series/energy/value");
  const SmallModel model = periodic_grid({3, 4, 5}, 2, true);
  for (Index replica = 0; replica < 9; ++replica) {
    double sum = 0;
    for (const CoupledPair& bond : model.bonds)
      sum -= std::copysign(1.0, lattice::pair_deviate(8, bond.i, bond.j, replica)) *
             s[static_cast<std::size_t>(60 * replica + bond.i)] *
             s[static_cast<std::size_t>(60 * replica + bond.j)];
    EXPECT_DOUBLE_EQ(energy[static_cast<std::size_t>(replica)], sum / 60) << replica;
  }
}

}  // namespace
}  // namespace larmor
