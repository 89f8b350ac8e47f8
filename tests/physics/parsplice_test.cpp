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
#include "larmor/parsplice/exponentiality.hpp"
#include "larmor/parsplice/other_dynamics.hpp"
#include "tests/expectations.hpp"
#include "tests/parsplice_runs.hpp"

namespace larmor::parsplice_tests {

using namespace larmor::parsplice;
using namespace larmor::parsplice_testing;
using larmor::testing_support::contains;

constexpr double spacing = 0.1;
/// The wells with rates of exit from both. They are eigenvalues of the Fokker-Planck operator by
/// finite differences of fourth order on 4000 intervals.
struct Well {
  double h, rate;
};
constexpr Well wells[] = {{1, 0.7486816722}, {2, 0.4545466018},  {3, 0.2418595821},
                          {4, 0.1191183725}, {5, 0.05552281147}, {6, 0.02484646306}};

/// The probability of the point between the wells, exp(-V) over the sum of all points.
double boltzmann_share_of_top(const DiffusionOnPoints& system) {
  double sum = 0;
  for (Index i = -system.last(); i <= system.last(); ++i) sum += std::exp(-system.potential(i));
  return std::exp(-system.potential(0)) / sum;
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
  return spliced(system, rule_for(system, seed), system.minimum(-1), goal, workers);
}

void compare_sides(const DiffusionOnPoints& system, const Trajectory& trajectory,
                   Index correlation_steps, const std::string& name) {
  std::vector<double> shares;
  for (const Trajectory& part : trajectory.parts(40)) shares.push_back(share_of(part, well_top));
  expect_mean(shares, boltzmann_share_of_top(system), name + ", share of the top");
  const double exact = rates_of_emptying(system)(0);
  auto found = exits_of(trajectory, correlation_steps);
  for (const auto& [side, other] :
       {std::pair{left_well, right_well}, std::pair{right_well, left_well}}) {
    const std::string here = name + ", state " + std::to_string(side);
    expect_within(3, found[side].rate(system.step()), exact, here);
    // The trajectory falls to either side of the top with equal probability.
    expect_within(3, found[side].rate_to(other, system.step()), exact / 2, here + ", across");
    const Exponentiality test =
        exponentiality(waiting_times(trajectory, correlation_steps, side, 1));
    EXPECT_GT(test.p_value, 0.005) << here << ": A^2 " << test.statistic;
  }
}

void compare_wells(std::span<const Well> compared, Index exits) {
  std::uint64_t seed = 100;
  for (const Well& well : compared) {
    const DiffusionOnPoints system(well.h, spacing);
    for (const int workers : {1, 7, 64}) {
      const Trajectory trajectory = spliced_wells(system, well.rate, exits, workers, ++seed);
      compare_sides(system, trajectory, rule_for(system, 0).correlation_steps,
                    "h " + std::to_string(well.h) + ", " + std::to_string(workers) + " workers");
    }
  }
}

TEST(SplicedDoubleWell, HasTheExactRates) {
  compare_wells(std::array{wells[0], wells[2], wells[4]}, 2500);
}

TEST(SplicedDoubleWell, HasTheExactRatesIfEachSegmentIsShortAndDephased) {
  const DiffusionOnPoints system(1, spacing);
  SegmentRule rule = rule_for(system, 61);
  rule.segment_steps = 50;
  rule.lanes = 30000;
  const Trajectory trajectory = spliced(system, rule, system.minimum(-1), 4000000, 7);
  compare_sides(system, trajectory, rule.correlation_steps, "short segments");
}

TEST(SplicedDoubleWellInDepth, HasTheExactRates) { compare_wells(wells, 12000); }

class SplicedBits : public testing::Test {
 protected:
  static constexpr Index goal = 400000;
  const DiffusionOnPoints system{3, spacing};
  const SegmentRule rule = rule_for(system, 11);

  Splicing splicing(SegmentFile* file = nullptr) const {
    return {system, rule, system.minimum(-1), goal, file};
  }
  std::vector<Stay> of_one_worker() const {
    Splicing one = splicing();
    run_on_virtual_workers(one, std::array{1.0});
    return one.trajectory().stays();
  }
};

TEST_F(SplicedBits, AreThoseOfOneWorkerForAnyWorkers) {
  const std::vector<Stay> expected = of_one_worker();
  EXPECT_GT(expected.size(), 200U);
  for (const int workers : {2, 7, 64}) {
    EXPECT_EQ(spliced(system, rule, system.minimum(-1), goal, workers).stays(), expected)
        << workers;
  }
  for (const int threads : {1, 3}) {
    Splicing run = splicing();
    run_on_threads(run, threads);
    EXPECT_EQ(run.trajectory().stays(), expected) << threads << " threads";
  }
}

TEST_F(SplicedBits, DependOnTheSeed) {
  SegmentRule other = rule;
  ++other.seed;
  EXPECT_NE(spliced(system, other, system.minimum(-1), goal, 7).stays(), of_one_worker());
}

/// A file that is removed with its journal before and after a test.
struct TestFile {
  std::string path;
  explicit TestFile(const std::string& name) : path(testing::TempDir() + name) { remove(); }
  ~TestFile() { remove(); }
  void remove() const {
    for (const char* end : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + end);
  }
};

/// Takes 0.3 ms of the clock for each call, so that a kill finds a run that is not complete.
class SlowDiffusion : public DiffusionOnPoints {
 public:
  using DiffusionOnPoints::DiffusionOnPoints;
  Advance advance(std::span<double> x, Index steps, const RandomKey& key) const override {
    std::this_thread::sleep_for(std::chrono::microseconds(300));
    return DiffusionOnPoints::advance(x, steps, key);
  }
};

TEST_F(SplicedBits, AreThoseOfOneWorkerAfterKills) {
  const TestFile file("larmor_spliced_kills.sqlite");
  const SlowDiffusion slow(3, spacing);
  int kills = 0;
  for (auto patience = std::chrono::milliseconds(150);; patience += patience / 4) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      SegmentFile kept(file.path, rule, slow.minimum(-1));
      Splicing run(slow, rule, slow.minimum(-1), goal, &kept);
      run_on_virtual_workers(run, unequal_speeds(7));
      kept.flush();
      _exit(run.has_reached_goal() ? 0 : 1);
    }
    std::this_thread::sleep_for(patience);
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    if (WIFEXITED(status)) {
      ASSERT_EQ(WEXITSTATUS(status), 0);
      break;
    }
    ++kills;
  }
  EXPECT_GT(kills, 1);
  // All segments are in the file, so this run begins at its goal.
  SegmentFile kept(file.path, rule, system.minimum(-1));
  const Splicing run = splicing(&kept);
  EXPECT_TRUE(run.has_reached_goal());
  EXPECT_EQ(run.trajectory().stays(), of_one_worker());
}

TEST_F(SplicedBits, AreThoseOfOneRunIfTheGoalIsMovedOn) {
  const TestFile file("larmor_spliced_goal.sqlite");
  for (const Index length : {goal / 4, goal}) {
    SegmentFile kept(file.path, rule, system.minimum(-1));
    Splicing run(system, rule, system.minimum(-1), length, &kept);
    EXPECT_FALSE(run.has_reached_goal());
    run_on_threads(run, 2);
  }
  SegmentFile kept(file.path, rule, system.minimum(-1));
  EXPECT_EQ(splicing(&kept).trajectory().stays(), of_one_worker());
}

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(SplicedBits, BelongToTheRuleOfTheFile) {
  const TestFile file("larmor_spliced_rule.sqlite");
  const Configuration first = system.minimum(-1);
  { const SegmentFile made(file.path, rule, first); }
  SegmentRule other = rule;
  other.segment_steps += 1;
  EXPECT_TRUE(contains(message_of([&] { SegmentFile(file.path, other, first); }), "another seed"));
  EXPECT_TRUE(contains(message_of([&] { SegmentFile(file.path, rule, system.minimum(1)); }),
                       "another seed"));
  { const SegmentFile again(file.path, rule, first); }
  std::ofstream(file.path) << std::string(5000, 'x');
  EXPECT_TRUE(contains(message_of([&] { SegmentFile(file.path, rule, first); }), "no file of"));
}

TEST_F(SplicedBits, BelongToTheRunOfTheFile) {
  const TestFile file("larmor_spliced_run.sqlite");
  const Configuration first = system.minimum(-1);
  EXPECT_FALSE(owner_of_segments(file.path));
  constexpr std::uint64_t owner = 0xfedcba9876543210;
  {
    SegmentFile made(file.path, rule, first, owner);
    // The owner is known while the journal of the file is in use.
    EXPECT_EQ(owner_of_segments(file.path), owner);
    Splicing run(system, rule, first, goal / 10, &made);
    run_on_threads(run, 1);
    made.flush();
    EXPECT_GT(made.segments(), 0);
  }
  EXPECT_EQ(owner_of_segments(file.path), owner);
  EXPECT_TRUE(
      contains(message_of([&] { SegmentFile(file.path, rule, first, owner + 1); }), "another run"));
  remove_segments(file.path);
  EXPECT_FALSE(std::filesystem::exists(file.path));
  std::ofstream(file.path) << std::string(5000, 'x');
  EXPECT_FALSE(owner_of_segments(file.path));
}

TEST_F(SplicedBits, AreThoseOfOneWorkerAfterStops) {
  const TestFile file("larmor_spliced_stops.sqlite");
  const SlowDiffusion slow(3, spacing);
  for (bool done = false; !done;) {
    SegmentFile kept(file.path, rule, slow.minimum(-1));
    Splicing run(slow, rule, slow.minimum(-1), goal, &kept);
    ThreadWorkers workers(run, 3);
    done = workers.run_for(std::chrono::milliseconds(100));
  }
  SegmentFile kept(file.path, rule, system.minimum(-1));
  EXPECT_EQ(splicing(&kept).trajectory().stays(), of_one_worker());
}

TEST_F(SplicedBits, NeedARuleInRange) {
  const auto refusal = [&](const SegmentRule& wrong, const Configuration& first) {
    return message_of([&] { Splicing(system, wrong, first, goal); });
  };
  SegmentRule wrong = rule;
  wrong.segment_steps = 0;
  EXPECT_TRUE(contains(refusal(wrong, system.minimum(1)), "at least 1 step"));
  wrong = rule;
  wrong.correlation_steps = -1;
  EXPECT_TRUE(contains(refusal(wrong, system.minimum(1)), "0 steps or more"));
  wrong = rule;
  wrong.lanes = 0;
  EXPECT_TRUE(contains(refusal(wrong, system.minimum(1)), "at least 1 lane"));
  EXPECT_TRUE(contains(refusal(rule, {1, 2}), "the 1 numbers of the system"));
  Splicing run = splicing();
  EXPECT_TRUE(contains(message_of([&] { run_on_virtual_workers(run, {}); }), "no workers"));
  EXPECT_TRUE(contains(message_of([&] { run_on_virtual_workers(run, std::array{0.0}); }),
                       "a speed above 0"));
  EXPECT_TRUE(contains(message_of([&] { run_on_threads(run, 0); }), "at least one worker"));
}

TEST(Splicer, UsesSegmentsInOrderAndWaits) {
  Splicer splicer(1, 100);
  const auto segment = [](StateLabel state, Index number, Index steps, StateLabel end) {
    std::vector<Stay> stays{{state, steps}};
    if (end != state) stays.push_back({end, 5});
    return Segment{{state, number}, stays, {}, steps};
  };
  splicer.add(segment(1, 1, 20, 1));
  splicer.add(segment(2, 0, 30, 2));
  EXPECT_EQ(splicer.trajectory().steps(), 0);
  splicer.add(segment(1, 0, 10, 1));
  EXPECT_EQ(splicer.trajectory().steps(), 30);
  splicer.add(segment(1, 2, 7, 2));
  const std::vector<Stay> expected{{1, 37}, {2, 35}};
  EXPECT_EQ(splicer.trajectory().stays(), expected);
  EXPECT_EQ(splicer.next_number(1), 3);
  EXPECT_FALSE(splicer.has_reached_goal());
}

TEST(OtherDynamics, HaveTheExactRatesToo) {
  const DiffusionOnPoints system(3, spacing);
  const Index correlation = rule_for(system, 0).correlation_steps;
  const auto goal = static_cast<Index>(10000 / wells[2].rate / system.step());
  compare_sides(system, direct_trajectory(system, system.minimum(1), goal, 21), correlation,
                "direct");
  for (const Index replicas : {1, 10}) {
    const ParallelReplicaRule rule{
        .seed = 22, .replicas = replicas, .correlation_steps = correlation};
    const Trajectory trajectory =
        parallel_replica_trajectory(system, system.minimum(1), goal, rule);
    EXPECT_GE(trajectory.steps(), goal);
    compare_sides(system, trajectory, correlation, std::to_string(replicas) + " replicas");
  }
}

TEST(Segments, OfStatesThatAreLeftTooSoonAreRefused) {
  const DiffusionOnPoints system(1, spacing);
  SegmentRule rule = rule_for(system, 3);
  rule.correlation_steps *= 40;
  const Configuration left = system.minimum(-1);
  EXPECT_THROW(made_segment(system, rule, {{system.state(left), 0}, left, false}), InputError);
  RandomKey key{3, 0, Stream::segment_noise};
  EXPECT_THROW(dephased(system, rule.correlation_steps, left, key), InputError);
}

TEST(OtherDynamics, GoOnFromSavedNumbersWithEqualBits) {
  const DiffusionOnPoints system(1, spacing);
  const Configuration first = system.minimum(1);
  DirectDynamics whole(system, first, 23), part(system, first, 23);
  whole.advance(30000);
  for (const Index steps : {7000, 1, 22999}) {
    part.advance(steps);
    DirectDynamics fresh(system, first, 23);
    fresh.load(part.save());
    part.load(fresh.save());
  }
  EXPECT_GT(whole.trajectory().stays().size(), 20U);
  EXPECT_EQ(part.trajectory().stays(), whole.trajectory().stays());
  EXPECT_EQ(part.references().size(), 3U);
  const ParallelReplicaRule rule{.seed = 24, .replicas = 5, .correlation_steps = 60};
  ParallelReplicas one(system, first, rule), other(system, first, rule, 3);
  for (int i = 0; i < 2000; ++i) {
    one.advance();
    other.advance();
    // Loading leaves the threads, the rule and the system as they are.
    if (i % 37 == 0) {
      ParallelReplicas fresh(system, first, rule, 2);
      fresh.load(other.save());
      EXPECT_EQ(fresh.save().counters, other.save().counters);
      other.load(fresh.save());
    }
  }
  EXPECT_GT(one.trajectory().stays().size(), 20U);
  EXPECT_EQ(one.trajectory().stays(), other.trajectory().stays());
  EXPECT_EQ(one.work(), other.work());
}

TEST(TrajectoryOfStays, HasFirstParts) {
  Trajectory all(1);
  all.append(std::vector<Stay>{{1, 10}, {2, 5}, {1, 3}});
  EXPECT_EQ(all.first(12).stays(), (std::vector<Stay>{{1, 10}, {2, 2}}));
  EXPECT_EQ(all.first(10).stays(), (std::vector<Stay>{{1, 10}}));
  EXPECT_EQ(all.first(18).stays(), all.stays());
  EXPECT_THROW(all.first(19), InternalError);
}

struct Chain {
  const char* name;
  std::vector<std::vector<double>> rates;
};

const std::vector<Chain>& chains() {
  static const std::vector<Chain> chains{
      {"two states", {{0, 1}, {0.25, 0}}},
      {"three states", {{0, 1, 0.01}, {2, 0, 0.05}, {0.1, 0.2, 0}}},
      {"a ring without detailed balance",
       {{0, 2, 0, 0.5}, {0.5, 0, 2, 0}, {0, 0.5, 0, 2}, {2, 0, 0.5, 0}}},
      {"two states of fast exchange", {{0, 50, 0}, {50, 0, 0.1}, {0, 0.1, 0}}}};
  return chains;
}

/// Probabilities of all moves in a number of steps.
Eigen::MatrixXd moves(const Chain& chain, double step, Index steps) {
  const auto n = static_cast<Index>(chain.rates.size());
  Eigen::MatrixXd power = Eigen::MatrixXd::Identity(n, n), all = power;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      const double rate = chain.rates[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      power(i, j) += step * rate;
      power(i, i) -= step * rate;
    }
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) all = (all * power).eval();
    power = (power * power).eval();
  }
  return all;
}

void compare_chain(const Chain& chain, const JumpChain& system, const Trajectory& trajectory,
                   const std::string& name) {
  auto found = exits_of(trajectory, 0);
  const std::vector<Trajectory> parts = trajectory.parts(40);
  const Eigen::MatrixXd limit = moves(chain, system.step(), Index{1} << 40);
  for (std::size_t i = 0; i < chain.rates.size(); ++i) {
    for (std::size_t j = 0; j < chain.rates.size(); ++j)
      if (chain.rates[i][j] > 0)
        expect_within(3.5, found[i].rate_to(j, system.step()), chain.rates[i][j],
                      name + ", rate " + std::to_string(i) + std::to_string(j));
    std::vector<double> shares;
    for (const Trajectory& part : parts) shares.push_back(share_of(part, i));
    expect_mean(shares, limit(0, static_cast<Index>(i)), name + ", share " + std::to_string(i));
    EXPECT_GT(exponentiality(waiting_times(trajectory, 0, i, 9)).p_value, 0.002) << name << i;
  }
  for (const double time : {0.1, 0.5, 1.0, 2.0, 5.0}) {
    const auto lag = static_cast<Index>(std::llround(time / system.step()));
    std::vector<double> joint;
    for (const Trajectory& part : parts) joint.push_back(joint_share(part, 0, lag));
    expect_mean(joint, limit(0, 0) * moves(chain, system.step(), lag)(0, 0),
                name + ", P00 at " + std::to_string(time));
  }
}

void compare_chains(double time) {
  std::uint64_t seed = 300;
  for (const Chain& chain : chains()) {
    const JumpChain system(chain.rates, 1e-4);
    for (const int workers : {1, 7, 64}) {
      const SegmentRule rule{
          .seed = ++seed, .segment_steps = 50000, .correlation_steps = 0, .lanes = 128};
      const auto goal = static_cast<Index>(time / system.step());
      compare_chain(chain, system, spliced(system, rule, {0}, goal, workers),
                    chain.name + (", " + std::to_string(workers)) + " workers");
    }
  }
}

TEST(SplicedChain, HasTheExactRatesAndCorrelations) { compare_chains(20000); }
TEST(SplicedChainInDepth, HasTheExactRatesAndCorrelations) { compare_chains(200000); }

TEST(SplicedLangevin, ForgetsTheWellWithTheExactRate) {
  // For h = 2 and friction 2; from the Kramers operator with 40 Hermite functions.
  const double exact = 0.123588526;
  const LangevinMotion system(2, 2, 0.02);
  const SegmentRule rule{.seed = 41, .segment_steps = 1000, .correlation_steps = 200, .lanes = 128};
  const auto goal = static_cast<Index>(5000 / exact / system.step());
  const Trajectory trajectory = spliced(system, rule, {-1, 0}, goal, 7);
  const Rate rate = rate_of_forgetting(trajectory, system.step(), 3, 10);
  EXPECT_LT(rate.error / exact, 0.04);
  expect_within(3, rate, exact, "rate");
}

TEST(Exponentiality, HasUniformPValues) {
  constexpr int samples = 2000;
  const RandomKey key{6, 0, Stream::waiting_time};
  int below_5 = 0, below_50 = 0, rejected = 0;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    std::vector<double> times, uniforms;
    for (std::uint64_t i = 0; i < 100; ++i) {
      const auto words = philox(key, i, sample);
      uniforms.push_back(uniform_52<double>(words.w[0], words.w[1]));
      times.push_back(-3 * std::log(uniforms.back()));
    }
    const double p = exponentiality(times).p_value;
    below_5 += p < 0.05;
    below_50 += p < 0.5;
    rejected += exponentiality(uniforms).p_value < 0.01;
  }
  // Four standard deviations. A test for a known mean would find hardly any below 0.05.
  EXPECT_NEAR(below_5, 0.05 * samples, 4 * std::sqrt(0.05 * 0.95 * samples));
  EXPECT_NEAR(below_50, 0.5 * samples, 4 * std::sqrt(0.25 * samples));
  EXPECT_GT(rejected, 0.99 * samples);
}

TEST(SpeedUp, IsNearTheNumberOfWorkersForRareExits) {
  const DiffusionOnPoints system(6, spacing);
  Splicing splicing(system, rule_for(system, 51), system.minimum(1), 4000000);
  const VirtualRun run = run_on_virtual_workers(splicing, std::vector<double>(32, 1.0));
  EXPECT_GT(run.speed_up(), 20);
  EXPECT_LE(run.speed_up(), 32);
}

}  // namespace larmor::parsplice_tests
