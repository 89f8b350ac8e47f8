// The average spin temperature of a study, which is the ratio of the means of its two sums.
// Rooms: spins, study

#include <array>
#include <cmath>

#include "larmor/core/statistics/statistics.hpp"
#include "study_test.hpp"

namespace larmor::spin_temperature_tests {

using testing_support::sigmas_of_alpha;
using testing_support::StudyTest;

using SpinTemperatureAverage = StudyTest;

struct Average {
  double value, error, samples;
};

Average average(const io::ResultsReader& results, const std::string& stage) {
  const std::string group = "/stages/" + stage + "/averages/spin_temperature/";
  return {results.read<double>(group + "value").at(0), results.read<double>(group + "error").at(0),
          results.read<double>(group + "samples").at(0)};
}

std::string heat_bath(double T, int sweeps) {
  return "[[stage]]\nkind='monte-carlo'\nsampler='heat-bath'\ntemperature=" + std::to_string(T) +
         "\nthermalisation=50\nsweeps=" + std::to_string(sweeps) + "\nmeasure_every=2\n" +
         "measure=['energy','spin-temperature']\n";
}

void expect_temperature(const Average& found, double T, double precision) {
  EXPECT_LT(found.error, precision * T);
  EXPECT_GT(found.error, 0);
  EXPECT_NEAR(found.value, T, sigmas_of_alpha * found.error);
}

TEST_F(SpinTemperatureAverage, OfFreeSpinsInAField) {
  // There are so few spins that the denominator, 2 h sum cos, is sometimes near zero or negative.
  const auto results = results_of("replicas=16\n",
                                  "[lattice]\ntype='chain'\nsize=[4]\nperiodic=false\n"
                                  "[field]\nB=[0,0.6,0.8]\n" +
                                      heat_bath(0.8, 4000));
  const Average found = average(results, "01-monte-carlo");
  expect_temperature(found, 0.8, 0.02);
  EXPECT_EQ(found.samples, 16 * 2000);
}

TEST_F(SpinTemperatureAverage, OfASmallHotLattice) {
  const auto results = results_of("replicas=16\n",
                                  "[lattice]\ntype='sc'\nsize=[4,4,4]\n"
                                  "[[exchange]]\nshell=1\nJ=1\n" +
                                      heat_bath(5, 2000));
  expect_temperature(average(results, "01-monte-carlo"), 5, 0.01);
}

TEST_F(SpinTemperatureAverage, WhereReplicasDifferByDisorder) {
  const auto results = results_of("replicas=32\n",
                                  "[lattice]\ntype='square'\nsize=[4,4]\n"
                                  "[[exchange]]\nshell=1\nJ=0\ndisorder=1\n"
                                  "disorder_by_replica=true\n" +
                                      heat_bath(1.5, 1000));
  expect_temperature(average(results, "01-monte-carlo"), 1.5, 0.02);
}

TEST_F(SpinTemperatureAverage, OfOneSampleHasNoError) {
  const auto results = results_of("",
                                  "[lattice]\ntype='sc'\nsize=[4,4,4]\n"
                                  "[[exchange]]\nshell=1\nJ=1\n" +
                                      heat_bath(1, 2));
  const Average found = average(results, "01-monte-carlo");
  const auto series = results.read<double>("/stages/01-monte-carlo/series/spin_temperature/value");
  ASSERT_EQ(series.size(), 1U);
  EXPECT_NEAR(found.value, series[0], 1e-12);
  EXPECT_NEAR(found.value, 1, 0.5);
  EXPECT_TRUE(std::isnan(found.error));
}

/// The sums of |e x h|^2 and of 2 e.h of an open chain with J = 1, site by site.
std::array<double, 2> sums_of_chain(const std::vector<double>& spins, std::size_t first,
                                    std::size_t sites) {
  const auto spin = [&](std::size_t i) {
    const std::size_t at = 3 * (first + i);
    return Vec3<double>{spins[at], spins[at + 1], spins[at + 2]};
  };
  std::array<double, 2> sums{};
  for (std::size_t i = 0; i < sites; ++i) {
    Vec3<double> h{0, 0, 0};
    if (i > 0) h += spin(i - 1);
    if (i + 1 < sites) h += spin(i + 1);
    const Vec3<double> torque = cross(spin(i), h);
    sums[0] += dot(torque, torque);
    sums[1] += 2 * dot(spin(i), h);
  }
  return sums;
}

TEST_F(SpinTemperatureAverage, IsTheRatioOfMeansOverTheTrajectory) {
  constexpr std::size_t replicas = 24, sites = 6;
  const std::string measured[2] = {"01-monte-carlo", "02-dynamics"};
  const auto results =
      results_of("replicas=24\n",
                 "[lattice]\ntype='chain'\nsize=[6]\nperiodic=false\n[[exchange]]\nshell=1\nJ=1\n" +
                     heat_bath(0.7, 200) +
                     "trajectory_every=1\nkeep_configurations=24\n"
                     "[[stage]]\nkind='dynamics'\ntimestep=0.05\nsteps=200\n"
                     "measure=[{what='spin-temperature',every=10},"
                     "{what='trajectory',every=10,replicas=24}]\n");
  for (const std::string& stage : measured) {
    const auto spins = results.read<double>("/stages/" + stage + "/trajectory/value");
    const std::size_t samples = spins.size() / (3 * replicas * sites);
    ASSERT_GT(samples, 20U);
    // The jackknife over replicas follows its definition here.
    std::array<double, 2> all{};
    std::vector<std::array<double, 2>> of_replica(replicas);
    const auto series = results.read<double>("/stages/" + stage + "/series/spin_temperature/value");
    ASSERT_EQ(series.size(), samples * replicas);
    for (std::size_t n = 0; n < samples * replicas; ++n) {
      const auto sums = sums_of_chain(spins, n * sites, sites);
      EXPECT_NEAR(series[n], sums[0] / sums[1], 1e-9 * (1 + std::abs(series[n])));
      for (std::size_t k = 0; k < 2; ++k) {
        all[k] += sums[k];
        of_replica[n % replicas][k] += sums[k];
      }
    }
    const double whole = all[0] / all[1];
    double squares = 0;
    for (const auto& own : of_replica) {
      const double without = (all[0] - own[0]) / (all[1] - own[1]);
      squares += (without - whole) * (without - whole);
    }
    const double error = std::sqrt(squares * (replicas - 1) / replicas);
    const Average found = average(results, stage);
    EXPECT_NEAR(found.value, whole, 0.2 * error) << stage;
    EXPECT_LT(std::abs(std::log(found.error / error)), std::log(2.0)) << stage;
  }
}

}  // namespace larmor::spin_temperature_tests
