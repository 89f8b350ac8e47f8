// Spliced trajectories: equal bits for any workers, and exact rates.
// Rooms: parsplice

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "larmor/core/error.hpp"
#include "larmor/core/maths/dense_algebra.hpp"
#include "larmor/core/statistics/statistics.hpp"
#include "larmor/parsplice/exits.hpp"
#include "larmor/parsplice/exponentiality.hpp"
#include "larmor/parsplice/other_dynamics.hpp"
#include "larmor/parsplice/workers.hpp"
#include "tests/expectations.hpp"
#include "tests/named.hpp"
#include "tests/parsplice_systems.hpp"

namespace larmor::parsplice_tests {

using namespace larmor::parsplice;
using namespace larmor::testing_support;

constexpr double spacing = 0.1;
/// The wells with rates of exit from both. They are eigenvalues of the Fokker-Planck operator by
/// finite differences of fourth order on 4000 intervals.
struct Well {
  double h, rate;
};
constexpr Well wells[] = {{1, 0.7486816722}, {2, 0.4545466018},  {3, 0.2418595821},
                          {4, 0.1191183725}, {5, 0.05552281147}, {6, 0.02484646306}};

/// Speeds from 0.3 to 3.
std::vector<double> unequal_speeds(int workers) {
  std::vector<double> speeds;
  for (int i = 0; i < workers; ++i) speeds.push_back(0.3 * (1 + (i * 7) % 10));
  return speeds;
}

SegmentRule rule_for(const DiffusionOnPoints& system, std::uint64_t seed) {
  return {.seed = seed,
          .segment_steps = 1000,
          .correlation_steps = static_cast<Index>(0.8 / system.step()),
          .lanes = 128};
}

constexpr WorkerFailures failures{.seed = 5, .rate = 1e-4, .time_to_return = 3000};

void expect_within(double sigmas, const Rate& rate, double exact, const std::string& name) {
  EXPECT_LT(std::abs(rate.value - exact) / rate.error, sigmas)
      << name << ": " << rate.value << " +- " << rate.error << ", exact " << exact;
}

/// The lowest rates at which a well empties that starts on the left side of the top.
Eigen::VectorXd rates_of_emptying(const DiffusionOnPoints& system) {
  const Index n = system.last();
  Eigen::VectorXd diagonal(n), next(n - 1);
  for (Index k = 0; k < n; ++k) {
    const Index i = k - n;
    diagonal(k) = system.rate(i, i - 1) + system.rate(i, i + 1);
    if (k > 0) next(k - 1) = -std::sqrt(system.rate(i - 1, i) * system.rate(i, i - 1));
  }
  return eigensystem_of_tridiagonal(diagonal, next).values;
}

TEST(DoubleWell, RatesOnPointsAreThoseOfTheContinuum) {
  for (const Well& well : wells) {
    const DiffusionOnPoints system(well.h, spacing);
    const Eigen::VectorXd rates = rates_of_emptying(system);
    EXPECT_NEAR(rates(0) / well.rate, 1, 1e-3) << well.h;
    // So the error of a correlation time of 0.8 is below 3e-4.
    EXPECT_GT((rates(1) - rates(0)) * 0.8, 8) << well.h;
  }
}

/// A run on virtual workers until each well had about `exits` exits.
Trajectory spliced_wells(const DiffusionOnPoints& system, double rate, Index exits, int workers,
                         std::uint64_t seed) {
  const auto goal = static_cast<Index>(2.6 * static_cast<double>(exits) / rate / system.step());
  Splicing splicing(system, rule_for(system, seed), system.minimum(-1), goal);
  const VirtualRun run = run_on_virtual_workers(splicing, unequal_speeds(workers), failures);
  EXPECT_GT(run.lost, 0);
  return splicing.trajectory();
}

void compare_wells(std::span<const Well> compared, Index exits) {
  std::uint64_t seed = 100;
  for (const Well& well : compared) {
    const DiffusionOnPoints system(well.h, spacing);
    const double exact = rates_of_emptying(system)(0);
    const SegmentRule rule = rule_for(system, 0);
    for (const int workers : {1, 7, 64}) {
      const Trajectory trajectory = spliced_wells(system, exact, exits, workers, ++seed);
      auto found = exits_of(trajectory, rule.correlation_steps);
      for (const auto& [side, other] :
           {std::pair{left_well, right_well}, std::pair{right_well, left_well}}) {
        const std::string name = "h " + std::to_string(well.h) + ", " + std::to_string(workers) +
                                 " workers, state " + std::to_string(side);
        expect_within(3, found[side].rate(system.step()), exact, name);
        // The trajectory falls to either side of the top with equal probability.
        expect_within(3, found[side].rate_to(other, system.step()), exact / 2, name + ", across");
        const Exponentiality test =
            exponentiality(waiting_times(trajectory, rule.correlation_steps, side, seed));
        EXPECT_GT(test.p_value, 0.005) << name << ": A^2 " << test.statistic;
      }
    }
  }
}

TEST(SplicedDoubleWell, HasTheExactRates) {
  compare_wells(std::array{wells[0], wells[2], wells[4]}, 2500);
}

TEST(SplicedDoubleWellInDepth, HasTheExactRates) { compare_wells(wells, 12000); }

}  // namespace larmor::parsplice_tests
