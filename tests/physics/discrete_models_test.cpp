// Ising and Potts models, compared with the enumeration of all their states.
// Rooms: ising, study

#include <gtest/gtest.h>

#include <functional>

#include "larmor/lattice/quenched_disorder.hpp"
#include "small_models.hpp"

namespace larmor::discrete_models_tests {
namespace {

using namespace testing_support;

using DiscreteModelsInDepth = DiscreteModels;

constexpr std::array<const char*, 3> samplers{"metropolis", "glauber", "heat-bath"};

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

std::string potts_tables(int states) {
  return "[model]\nkind='potts'\n[potts]\nstates=" + std::to_string(states) +
         "\n[lattice]\ntype='square'\nsize=[3,3]\n[[exchange]]\nshell=1\nJ=1\n";
}

TEST_F(DiscreteModels, PottsAveragesOfOddLatticesAreTheEnumerated) {
  for (const auto& [states, T] : {std::pair(3, 0.8), {4, 1.2}})
    for (const char* sampler : samplers)
      pulls(potts_tables(states), sampler, T, periodic_grid({3, 3}, states, false));
}

TEST_F(DiscreteModelsInDepth, PottsAveragesOfOddLatticesHaveTheErrorsThatTheyAreToldWith) {
  std::vector<double> all;
  for (const int states : {3, 4})
    for (const char* sampler : samplers)
      for (const double T : {0.8, 1.2})
        for (const double pull :
             pulls(potts_tables(states), sampler, T, periodic_grid({3, 3}, states, false)))
          all.push_back(pull);
  ASSERT_GE(all.size(), 40U);
  expect_chi_square(all);
}

/// The graph has no symmetry. It has couplings of both signs and a field.
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

/// Every replica has its own couplings. Its energies are exact sums of them.
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
}  // namespace larmor::discrete_models_tests
