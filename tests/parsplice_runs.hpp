#pragma once
// Runs of systems of known rates on virtual workers, and expectations about them.

#include <gtest/gtest.h>

#include <string>

#include "larmor/core/statistics/statistics.hpp"
#include "larmor/parsplice/exits.hpp"
#include "larmor/parsplice/workers.hpp"
#include "tests/parsplice_systems.hpp"

namespace larmor::parsplice_testing {

/// Speeds from 0.3 to 3.
inline std::vector<double> unequal_speeds(int workers) {
  std::vector<double> speeds;
  for (int i = 0; i < workers; ++i) speeds.push_back(0.3 * (1 + (i * 7) % 10));
  return speeds;
}

inline SegmentRule rule_for(const DiffusionOnPoints& system, std::uint64_t seed) {
  return {.seed = seed,
          .segment_steps = 1000,
          .correlation_steps = static_cast<Index>(0.8 / system.step()),
          .lanes = 128};
}

/// A worker of speed 1 loses about every tenth segment.
inline WorkerFailures failures_for(const SegmentRule& rule) {
  const auto steps = static_cast<double>(rule.segment_steps);
  return {.seed = 5, .rate = 0.1 / steps, .time_to_return = 3 * steps};
}

inline void expect_within(double sigmas, const Rate& rate, double exact, const std::string& name) {
  EXPECT_LT(std::abs(rate.value - exact) / rate.error, sigmas)
      << name << ": " << rate.value << " +- " << rate.error << ", exact " << exact;
}

inline void expect_mean(const std::vector<double>& values, double exact, const std::string& name) {
  const Estimate found = estimate_independent(values);
  EXPECT_LT(std::abs(found.value - exact) / found.error, 3.5)
      << name << ": " << found.value << " +- " << found.error << ", exact " << exact;
}

/// A run on virtual workers, some of which die and return.
inline Trajectory spliced(const SegmentSystem& system, const SegmentRule& rule,
                          const Configuration& first, Index goal, int workers) {
  Splicing splicing(system, rule, first, goal);
  const VirtualRun run =
      run_on_virtual_workers(splicing, unequal_speeds(workers), failures_for(rule));
  EXPECT_GT(run.lost, 0);
  return splicing.trajectory();
}

/// Rate at which <s(0) s(t)> decays between two times. @param left_out a part; none if negative
inline double decay(const std::vector<std::array<double, 2>>& correlations, double time,
                    Index left_out) {
  std::array<double, 2> sums{};
  for (std::size_t i = 0; i < correlations.size(); ++i)
    if (static_cast<Index>(i) != left_out)
      for (std::size_t k = 0; k < 2; ++k) sums[k] += correlations[i][k];
  return std::log(sums[0] / sums[1]) / time;
}

/// The rate with which the side s = +-1 of the double well is forgotten, with its jackknife error.
inline Rate rate_of_forgetting(const Trajectory& trajectory, double step, double from, double to) {
  std::vector<std::array<double, 2>> correlations;
  for (const Trajectory& part : trajectory.parts(50)) {
    std::array<double, 2> here{};
    for (std::size_t k = 0; k < 2; ++k) {
      const auto lag = static_cast<Index>(std::llround((k == 0 ? from : to) / step));
      here[k] = 2 * (joint_share(part, left_well, lag) + joint_share(part, right_well, lag)) - 1;
    }
    correlations.push_back(here);
  }
  const double all = decay(correlations, to - from, -1);
  const auto n = static_cast<double>(correlations.size());
  double squares = 0;
  for (Index i = 0; i < static_cast<Index>(correlations.size()); ++i)
    squares += std::pow(decay(correlations, to - from, i) - all, 2);
  return {all, std::sqrt((n - 1) / n * squares)};
}

}  // namespace larmor::parsplice_testing
