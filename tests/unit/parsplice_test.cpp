// Parts of spliced trajectories: stays, predictions, workers, files.
// Rooms: parsplice

#include <gtest/gtest.h>

#include <filesystem>

#include "larmor/core/error.hpp"
#include "tests/expectations.hpp"
#include "tests/parsplice_runs.hpp"

namespace larmor::parsplice_parts_tests {

using namespace larmor::parsplice_testing;
using larmor::testing_support::contains;

/// States 0 to 2 with stays of 1 to 4 steps.
Trajectory many_stays() {
  Trajectory trajectory(0);
  for (Index i = 0; i < 200; ++i) {
    trajectory.enter(static_cast<StateLabel>((i * i + i / 3) % 3));
    trajectory.stay(1 + (i * 7) % 4);
  }
  return trajectory;
}

std::vector<StateLabel> state_of_each_step(const Trajectory& trajectory) {
  std::vector<StateLabel> states;
  for (const Stay& stay : trajectory.stays())
    states.insert(states.end(), static_cast<std::size_t>(stay.steps), stay.state);
  return states;
}

TEST(SplicedStays, OfPartsAreThoseOfTheTrajectory) {
  const Trajectory trajectory = many_stays();
  std::vector<StateLabel> joined;
  for (const Trajectory& part : trajectory.parts(7)) {
    EXPECT_EQ(part.steps(), trajectory.steps() / 7);
    const std::vector<StateLabel> states = state_of_each_step(part);
    joined.insert(joined.end(), states.begin(), states.end());
  }
  std::vector<StateLabel> all = state_of_each_step(trajectory);
  all.resize(joined.size());
  EXPECT_EQ(joined, all);
  EXPECT_THROW(trajectory.parts(trajectory.steps() + 1), InternalError);
}

TEST(SplicedStays, HaveTheJointSharesOfTheirSteps) {
  const Trajectory trajectory = many_stays();
  const std::vector<StateLabel> states = state_of_each_step(trajectory);
  for (const std::size_t lag : {0U, 1U, 2U, 5U, 30U, 300U})
    for (const StateLabel state : {0U, 1U, 2U}) {
      double both = 0;
      for (std::size_t i = 0; i + lag < states.size(); ++i)
        both += states[i] == state && states[i + lag] == state;
      EXPECT_NEAR(joint_share(trajectory, state, static_cast<Index>(lag)),
                  both / static_cast<double>(states.size() - lag), 1e-14)
          << lag;
    }
  EXPECT_THROW(joint_share(trajectory, 0, trajectory.steps()), InternalError);
}

TEST(SplicedStays, OfSettledStatesHaveExits) {
  Trajectory trajectory(1);
  for (const Stay& stay : {Stay{1, 10}, {2, 3}, {1, 2}, {2, 9}, {1, 4}, {3, 20}, {1, 7}}) {
    trajectory.enter(stay.state);
    trajectory.stay(stay.steps);
  }
  // With tau_c of 4 steps, the stays of 10, 9, 20 and 7 steps are settled.
  auto exits = exits_of(trajectory, 4);
  EXPECT_EQ(exits[1].exits, 1);
  EXPECT_EQ(exits[1].steps, 6 + 3);
  EXPECT_EQ(exits[1].next[2], 1);
  EXPECT_EQ(exits[2].steps, 5);
  EXPECT_EQ(exits[2].next[3], 1);
  EXPECT_EQ(exits[3].steps, 16);
  EXPECT_EQ(exits[3].next[1], 1);
  EXPECT_NEAR(exits[2].rate(0.5).value, 1 / (5 * 0.5), 1e-14);
  const std::vector<double> times = waiting_times(trajectory, 4, 1, 1);
  ASSERT_EQ(times.size(), 1U);
  EXPECT_GT(times[0], 5);
  EXPECT_LT(times[0], 6);
}

Segment segment_between(StateLabel begin, Index number, StateLabel end) {
  std::vector<Stay> stays{{begin, 10}};
  if (end != begin) stays.push_back({end, 5});
  return {{begin, number}, stays, {static_cast<double>(end)}, 10};
}

TEST(Prediction, FollowsTheTransitionsSeen) {
  Predictor predictor(1);
  EXPECT_EQ(predictor.drawn_end(4, 0.5), 4U);
  for (Index i = 0; i < 3; ++i) predictor.learn(segment_between(4, i, 7));
  // Three transitions to 7, and the prior that one segment ended in 4.
  EXPECT_EQ(predictor.drawn_end(4, 0.7499), 7U);
  EXPECT_EQ(predictor.drawn_end(4, 0.7501), 4U);
}

TEST(Prediction, GoesThroughCompleteSegmentsToTheFirstThatCanRun) {
  Schedule schedule(2);
  schedule.add_state(4, {4.0});
  schedule.add_state(7, {7.0});
  Splicer splicer(4, 1000);
  Predictor predictor(1);
  const auto next = [&] { return predictor.next(splicer, schedule); };
  EXPECT_EQ(next(), (SegmentName{4, 0}));
  schedule.begin({4, 0});
  EXPECT_EQ(next(), (SegmentName{4, 1}));
  schedule.begin({4, 1});
  // Both lanes of state 4 run, and no transition is known.
  EXPECT_EQ(next(), std::nullopt);
  const Segment second = segment_between(4, 1, 7);
  schedule.complete(second);
  splicer.add(second);
  // If segment 0 stays in state 4, segment 1 leads to state 7.
  EXPECT_EQ(next(), (SegmentName{7, 0}));
  schedule.lose({4, 0});
  EXPECT_EQ(next(), (SegmentName{4, 0}));
}

TEST(SegmentLanes, BeginAtTheEndOfTheirLastSegment) {
  Schedule schedule(2);
  schedule.add_state(4, {0.5});
  EXPECT_FALSE(schedule.begin({4, 0}).is_decorrelated);
  EXPECT_FALSE(schedule.can_run({4, 0}));
  EXPECT_FALSE(schedule.can_run({4, 2}));
  EXPECT_THROW(schedule.begin({4, 2}), InternalError);
  schedule.complete(segment_between(4, 0, 4));
  EXPECT_THROW(schedule.complete(segment_between(4, 0, 4)), InternalError);
  const SegmentTask task = schedule.begin({4, 2});
  EXPECT_TRUE(task.is_decorrelated);
  EXPECT_EQ(task.begin, Configuration{4.0});
  schedule.complete(segment_between(4, 2, 7));
  const SegmentTask dephased = schedule.begin({4, 4});
  EXPECT_FALSE(dephased.is_decorrelated);
  EXPECT_EQ(dephased.begin, Configuration{0.5});
}

/// Fails after some calls, or breaks the rules of its interface.
class FaultySystem : public JumpChain {
 public:
  explicit FaultySystem(Index steps) : JumpChain({{0, 1}, {1, 0}}, 0.01), steps_(steps) {}
  Advance advance(std::span<double> x, Index, const RandomKey& key) const override {
    if (steps_ == 0) throw UnphysicalError("the state is not finite");
    static_cast<void>(key);
    return {steps_, state(x)};
  }

 private:
  Index steps_;
};

TEST(SplicingWorkers, ReportTheErrorsOfTheSystem) {
  const SegmentRule rule{.seed = 1, .segment_steps = 10, .correlation_steps = 0};
  const FaultySystem failing(0), wrong(11);
  for (const int threads : {1, 4}) {
    Splicing splicing(failing, rule, {0}, 100);
    EXPECT_THROW(run_on_threads(splicing, threads), UnphysicalError);
  }
  Splicing splicing(wrong, rule, {0}, 100);
  EXPECT_THROW(run_on_virtual_workers(splicing, std::vector<double>{1}), InternalError);
}

TEST(SegmentFiles, ServeOneRunAtATime) {
  const std::string path = testing::TempDir() + "larmor_segments_of_one_run.sqlite";
  std::filesystem::remove(path);
  const SegmentRule rule{.seed = 1, .segment_steps = 10, .correlation_steps = 0};
  {
    const SegmentFile open(path, rule, {0});
    try {
      const SegmentFile second(path, rule, {0});
      FAIL() << "two runs write one file";
    } catch (const InputError& error) {
      EXPECT_TRUE(contains(error.what(), "another program has"));
    }
  }
  EXPECT_NO_THROW(SegmentFile(path, rule, {0}));
  EXPECT_THROW(SegmentFile("/nowhere/segments.sqlite", rule, {0}), MachineError);
  std::filesystem::remove(path);
}

}  // namespace larmor::parsplice_parts_tests
