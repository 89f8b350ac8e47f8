// Fields and torques that are switched on and off: every scheme keeps its order.
// Rooms: spins, study

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "larmor/io/files/toml.hpp"
#include "larmor/study/models/spins/stages/drive.hpp"
#include "test_system.hpp"

namespace larmor::pulses_tests {

using namespace larmor::spins;
using testing_support::TestSystem;

struct NamedOrder {
  const char* name;
  Scheme scheme;
  double order;

  friend void PrintTo(const NamedOrder& tested, std::ostream* out) { *out << tested.name; }
};

const NamedOrder orders[] = {{"rk4", Scheme::rk4, 4},
                             {"depondt", Scheme::depondt, 2},
                             {"heun", Scheme::heun, 2},
                             {"semi_implicit", Scheme::semi_implicit, 2},
                             {"midpoint", Scheme::midpoint, 2}};

class SwitchedDrive : public testing::TestWithParam<NamedOrder> {
 protected:
  static constexpr double alpha = 0.3, time = 2;
  static constexpr Vec3<double> start{0.6, 0, 0.8}, B{0, 0.4, 1.1};

  /// The spin after `time`, integrated with steps of length `timestep`.
  /// @param drive keys of the stage
  static Vec3<double> end_of(double timestep, const std::string& drive,
                             const std::optional<PolarisationTorque>& torque) {
    TestSystem system(
        "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[field]\nB=[0,0.4,1.1]\n");
    system.state.set_all(std::vector<Vec3<double>>{start});
    Integrator integrator = system.integrator(GetParam().scheme, timestep, alpha);
    if (torque) integrator.set_torque(*torque);
    const ReadContext context = ReadContext::reduced();
    const auto steps = static_cast<Index>(std::lround(time / timestep));
    const Value table = io::parse_toml(
        "kind = 'dynamics'\ntimestep = " + std::to_string(timestep) + "\nsteps = 1\n" + drive,
        "test");
    const study::DriveSchedule schedule(read<study::DynamicsTable>(table, context), context);
    integrator.run(system.state, steps, schedule.steps(0, steps));
    return system.state.configuration(0)[0];
  }

  /// The closed form after a time t, with a field F along a unit vector n and a torque of
  /// polarisation n.
  static Vec3<double> after(const Vec3<double>& e, const Vec3<double>& n, double F, double t,
                            double a = 0, double c = 0) {
    const double turned = (F + c - alpha * a) * t / (1 + alpha * alpha);
    const double decay = (a + alpha * (F + c)) * t / (1 + alpha * alpha);
    const double before = std::acos(dot(n, e));
    const double theta = 2 * std::atan(std::tan(before / 2) * std::exp(-decay));
    const Vec3<double> out = e - dot(n, e) * n;
    const Vec3<double> x = (1 / length(out)) * out;
    return std::cos(theta) * n +
           std::sin(theta) * (std::cos(turned) * x + std::sin(turned) * cross(n, x));
  }

  static void expect_order(const std::string& drive, const Vec3<double>& exact,
                           const std::optional<PolarisationTorque>& torque = {}) {
    const double coarse = length(end_of(0.0625, drive, torque) - exact),
                 fine = length(end_of(0.03125, drive, torque) - exact),
                 finest = length(end_of(0.015625, drive, torque) - exact);
    EXPECT_NEAR(std::log2(coarse / fine), GetParam().order, 0.35) << coarse << ' ' << fine;
    EXPECT_NEAR(std::log2(fine / finest), GetParam().order, 0.35) << fine << ' ' << finest;
  }
};

TEST_P(SwitchedDrive, PulseThatIsSwitchedAtWholeStepsKeepsTheOrder) {
  const auto in = [](const Vec3<double>& e, const Vec3<double>& F, double t) {
    return after(e, (1 / length(F)) * F, length(F), t);
  };
  const Vec3<double> pulsed = B + Vec3<double>{2.5, 0, -0.7};
  const Vec3<double> exact = in(in(in(start, B, 0.5), pulsed, 0.75), B, 0.75);
  expect_order("pulse = [{ B = [2.5, 0, -0.7], start = 0.5, duration = 0.75 }]\n", exact);
}

/// The torque lies along the field, because a closed form exists for this case.
TEST_P(SwitchedDrive, TorqueThatIsSwitchedAtWholeStepsKeepsTheOrder) {
  const double F = length(B), a = 1.6, c = -0.9;
  const Vec3<double> n = (1 / F) * B;
  const Vec3<double> exact = after(after(after(start, n, F, 0.5), n, F, 0.75, a, c), n, F, 0.75);
  expect_order(
      "torque = [{ kind = 'polarised', polarisation = [0, 0.4, 1.1], damping_like = 1.6, "
      "field_like = -0.9, start = 0.5, duration = 0.75 }]\n",
      exact, PolarisationTorque{n, a, c, 0});
}

INSTANTIATE_TEST_SUITE_P(Integrators, SwitchedDrive, testing::ValuesIn(orders),
                         testing_support::by_name);

}  // namespace larmor::pulses_tests
