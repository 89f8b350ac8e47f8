// Rooms: study
#include "larmor/study/models/spins/stages/drive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "larmor/io/files/toml.hpp"

namespace {

using namespace larmor;
using namespace larmor::study;

DriveSchedule schedule(const std::string& keys,
                       const ReadContext& context = ReadContext::reduced()) {
  const std::string timestep = context.units == UnitSystem::material ? "'1 fs'" : "0.5";
  const Value table = io::parse_toml(
      "kind = 'dynamics'\ntimestep = " + timestep + "\nsteps = 10\ndamping = 0.1\n" + keys, "f");
  return DriveSchedule(read<DynamicsTable>(table, context), context);
}

double strength(const std::string& shape, double time) {
  return schedule("pulse = [{ B = [0, 2, 0], " + shape + " }]").field(time).y / 2;
}

TEST(DriveSchedule, PulsesHaveTheShapesOfTheDocumentation) {
  const double pi = std::numbers::pi;
  EXPECT_EQ(strength("start = 1", 0.9), 0);
  EXPECT_EQ(strength("start = 1", 1e6), 1);
  EXPECT_EQ(strength("start = 1, duration = 2", 2.9), 1);
  EXPECT_EQ(strength("start = 1, duration = 2", 3.1), 0);
  EXPECT_EQ(strength("shape = 'ramp', start = 1, duration = 4", 0.5), 0);
  EXPECT_DOUBLE_EQ(strength("shape = 'ramp', start = 1, duration = 4", 2), 0.25);
  EXPECT_EQ(strength("shape = 'ramp', start = 1, duration = 4", 50), 1);
  EXPECT_DOUBLE_EQ(strength("shape = 'gaussian', start = 3, width = 2", 3), 1);
  EXPECT_DOUBLE_EQ(strength("shape = 'gaussian', start = 3, width = 2", 1), std::exp(-0.5));
  EXPECT_DOUBLE_EQ(strength("shape = 'sine', start = 1, frequency = 0.1", 3),
                   std::sin(2 * pi * 0.2));
  EXPECT_EQ(strength("shape = 'sine', start = 1, duration = 1, frequency = 0.1", 3), 0);
  EXPECT_DOUBLE_EQ(strength("shape = 'sinc', start = 1, frequency = 0.1", 1), 1);
  EXPECT_NEAR(strength("shape = 'sinc', start = 1, frequency = 0.1", 6), 0, 1e-15);
}

TEST(DriveSchedule, PulsesAddUp) {
  const DriveSchedule both =
      schedule("pulse = [{ B = [1, 0, 0] }, { B = [0.5, 0, 2], duration = 3 }]");
  EXPECT_EQ(both.field(1), (Vec3<double>{1.5, 0, 2}));
  EXPECT_EQ(both.field(4), (Vec3<double>{1, 0, 0}));
  EXPECT_FALSE(both.constant());
  EXPECT_FALSE(both.heated());
}

TEST(DriveSchedule, TemperaturesLieOnStraightLines) {
  const DriveSchedule cooling = schedule(
      "temperature_schedule = [{ time = 1, temperature = 4 }, { time = 3, temperature = 0 },"
      " { time = 5, temperature = 1 }]");
  for (const auto& [time, expected] : std::vector<std::pair<double, double>>{
           {0, 4}, {1, 4}, {1.5, 3}, {2, 2}, {3, 0}, {4, 0.5}, {5, 1}, {100, 1}})
    EXPECT_DOUBLE_EQ(cooling.temperature(time), expected) << time;
  EXPECT_TRUE(cooling.heated());
}

TEST(DriveSchedule, StepsCarryTheBeginningTheMiddleAndTheEnd) {
  const DriveSchedule ramp = schedule(
      "pulse = [{ B = [0, 0, 1], shape = 'ramp', duration = 100 }]\n"
      "temperature_schedule = [{ time = 0, temperature = 0 }, { time = 10, temperature = 10 }]");
  const auto steps = ramp.steps(4, 2);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_DOUBLE_EQ(steps[0].begin.field.z, 0.02);
  EXPECT_DOUBLE_EQ(steps[0].middle.field.z, 0.0225);
  EXPECT_DOUBLE_EQ(steps[0].end.field.z, 0.025);
  EXPECT_DOUBLE_EQ(steps[1].begin.field.z, 0.025);
  EXPECT_DOUBLE_EQ(steps[0].noise, 1.5);  // sqrt(2.25)
}

/// The pulse acts on the steps of 0.5 from 1 to 2 and on no other steps, however its edges are
/// rounded.
TEST(DriveSchedule, AStepThatEndsAtAnEdgeHasNotSeenWhatFollows) {
  for (const char* pulse : {"start = 1, duration = 1", "start = 1.0000000001, duration = 1",
                            "start = 0.9999999999, duration = 1.0000000002"}) {
    const auto steps =
        schedule(std::string("pulse = [{ B = [0, 0, 2], ") + pulse + " }]").steps(0, 6);
    for (std::size_t n = 0; n < steps.size(); ++n) {
      const double on = n == 2 || n == 3 ? 2 : 0;
      EXPECT_EQ(steps[n].begin.field.z, on) << pulse << ", step " << n;
      EXPECT_EQ(steps[n].middle.field.z, on) << pulse << ", step " << n;
      EXPECT_EQ(steps[n].end.field.z, on) << pulse << ", step " << n;
    }
  }
}

TEST(DriveSchedule, ASineAndATorqueAreCutAtTheirEdges) {
  const DriveSchedule both = schedule(
      "pulse = [{ B = [0, 0, 1], shape = 'sine', frequency = 0.25, start = 1, duration = 1 }]\n"
      "torque = [{ kind = 'polarised', polarisation = [0, 1, 0], damping_like = 1, start = 1,"
      " duration = 1 }]");
  const auto steps = both.steps(0, 6);
  EXPECT_DOUBLE_EQ(steps[3].end.field.z, 1);
  EXPECT_EQ(steps[4].begin.field.z, 0);
  EXPECT_EQ(steps[1].end.polarised, 0);
  EXPECT_EQ(steps[2].begin.polarised, 1);
  EXPECT_EQ(steps[3].end.polarised, 1);
  EXPECT_EQ(steps[4].begin.polarised, 0);
  // A measurement at an edge sees the drive that begins at this edge.
  EXPECT_EQ(both.field(2).z, 0);
}

TEST(DriveSchedule, AnEdgeWithinAStepIsSeenAtTheTimesOfTheStep) {
  const auto steps = schedule("pulse = [{ B = [0, 0, 2], start = 1.2 }]").steps(2, 2);
  EXPECT_EQ(steps[0].begin.field.z, 0);
  EXPECT_EQ(steps[0].middle.field.z, 2);
  EXPECT_EQ(steps[0].end.field.z, 2);
  EXPECT_EQ(steps[1].begin.field.z, 2);
}

TEST(DriveSchedule, MaterialUnitsBecomeEnergies) {
  const DriveSchedule field = schedule(
      "pulse = [{ B = ['0 T', '0 T', '2 T'] }]\n"
      "temperature = '300 K'",
      ReadContext::material());
  const auto steps = field.steps(0, 1);
  EXPECT_DOUBLE_EQ(steps[0].begin.field.z, 2 * codata_2018.mu_B);
  EXPECT_DOUBLE_EQ(steps[0].noise, std::sqrt(300 * codata_2018.k_B));
}

TEST(DriveSchedule, CurrentsCanBeSwitched) {
  const DriveSchedule current = schedule(
      "torque = [{ kind = 'spin-transfer', velocity = [1, 0, 0], duration = 1 },"
      " { kind = 'polarised', polarisation = [0, 1, 0], damping_like = 1 }]");
  EXPECT_FALSE(current.constant());
  const auto steps = current.steps(0, 4);
  EXPECT_EQ(steps[0].begin.drift, 1);
  EXPECT_EQ(steps[3].begin.drift, 0);
  EXPECT_EQ(steps[3].begin.polarised, 1);
  EXPECT_TRUE(schedule("torque = [{ kind = 'spin-transfer', velocity = [1, 0, 0] }]").constant());
}

}  // namespace
