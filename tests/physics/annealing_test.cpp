// Cones of Metropolis moves. They are tuned only outside averages, and passed from stage to stage.
// Rooms: spins, study

#include <cmath>

#include "study_test.hpp"

namespace larmor::annealing_tests {

using Annealing = testing_support::StudyTest;

std::vector<double> average(const io::ResultsReader& results, const std::string& stage,
                            const std::string& name) {
  return results.read<double>("/stages/" + stage + "/averages/" + name);
}

TEST_F(Annealing, AveragesAreThoseOfEquilibrium) {
  // Averages follow Langevin's function. There is one spin per replica, so a cone that depends on
  // the direction of the spin causes a visible bias. If a cone follows the spin during averages, it
  // breaks detailed balance.
  const io::ResultsReader results = results_of(
      "seed=11\nreplicas=256\n",
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[field]\nB=[0,0,1]\n[[stage]]\n"
      "kind='anneal'\ntemperature={from=1.0,to=0.2,points=2}\nsweeps=20000\ntarget_acceptance=0.9"
      "\n");
  const auto temperature = results.read<double>("/stages/01-anneal/temperature");
  const auto energy = average(results, "01-anneal", "energy/value");
  const auto error = average(results, "01-anneal", "energy/error");
  ASSERT_EQ(temperature.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    const double x = 1 / temperature[t];
    EXPECT_LT(error[t], 0.004);
    EXPECT_NEAR(energy[t], -(1 / std::tanh(x) - 1 / x), 4 * error[t]) << temperature[t];
  }
}

const char* const square =
    "[lattice]\ntype='square'\nsize=[16,16]\n[[exchange]]\nshell=1\nJ=1\n[field]\nB=[0,0,0.5]\n"
    "[[stage]]\nkind='anneal'\ntemperature={from=2.0,to=0.05,factor=0.7}\nsweeps=60\n"
    "target_acceptance=0.4\n";
const char* const sampling =
    "[[stage]]\nkind='monte-carlo'\ntemperature=0.05\nthermalisation=0\nsweeps=200\n";

TEST_F(Annealing, HandsItsConesOn) {
  const io::ResultsReader results = results_of(
      "seed=3\nreplicas=9\n",
      square + std::string("[[stage]]\nkind='dynamics'\ntimestep=0.02\nsteps=10\n") + sampling);
  const double cone = average(results, "01-anneal", "cone_angle/value").back();
  EXPECT_GT(cone, 0.1);
  EXPECT_LT(cone, 1);
  EXPECT_EQ(average(results, "03-monte-carlo", "cone_angle/value").back(), cone);
  EXPECT_NEAR(average(results, "03-monte-carlo", "acceptance/value").back(), 0.4, 0.05);
}

TEST_F(Annealing, HandsItsConesThroughAHeatBath) {
  const io::ResultsReader results = results_of(
      "seed=3\nreplicas=9\n", square + std::string(sampling) + "sampler='heat-bath'\n" + sampling);
  EXPECT_EQ(average(results, "03-monte-carlo", "cone_angle/value").back(),
            average(results, "01-anneal", "cone_angle/value").back());
}

TEST_F(Annealing, StoresTheLowestStateThatItEndsWith) {
  // Fast cooling leaves domain walls in some replicas.
  const io::ResultsReader results = results_of(
      "seed=5\nreplicas=40\n",
      "[model]\nkind='ising'\n[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n"
      "[[stage]]\nkind='anneal'\ntemperature={from=4.0,to=0.2,points=8}\nsweeps=2\n"
      "keep_configurations=40\n");
  const std::string at = "/stages/01-anneal/";
  const auto attributes = results.attributes(at + "lowest-state");
  const auto lowest = results.read<std::int32_t>(at + "lowest-state/configuration");
  const auto all = results.read<std::int32_t>(at + "configuration");
  ASSERT_EQ(lowest.size(), 36u);
  ASSERT_EQ(all.size(), 40u * 36u);
  const auto energy = [](const std::int32_t* s) {
    int sum = 0;
    for (int y = 0; y < 6; ++y)
      for (int x = 0; x < 6; ++x)
        sum -= s[6 * y + x] * (s[6 * y + (x + 1) % 6] + s[6 * ((y + 1) % 6) + x]);
    return sum / 36.0;
  };
  double least = 0;
  Index replicas = 0, first = 0;
  for (Index r = 0; r < 40; ++r) {
    const double e = energy(all.data() + 36 * r);
    if (e < least) {
      least = e;
      replicas = 0;
      first = r;
    }
    replicas += e == least ? 1 : 0;
  }
  EXPECT_LT(replicas, 40) << "all states are alike";
  EXPECT_NEAR(attributes.at("energy").number(), least, 1e-14);
  EXPECT_NEAR(energy(lowest.data()), least, 1e-14);
  EXPECT_EQ(attributes.at("replicas").integer(), replicas);
  EXPECT_EQ(attributes.at("replica").integer(), first);
  EXPECT_EQ(attributes.at("temperature").number(), 0.2);
}

}  // namespace larmor::annealing_tests
