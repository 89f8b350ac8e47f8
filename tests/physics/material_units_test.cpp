// Studies in material units, compared with known times in seconds. The gamma of the free electron
// is 1.76085963023e11 rad/(s T) (CODATA 2018).
// Rooms: core, study

#include <cmath>
#include <string>

#include "study_test.hpp"

namespace larmor::material_units_tests {

constexpr double gamma_per_ps_and_tesla = 0.176085963023;

/// The system is a chain along x, in a field of 7 T along z.
class MaterialUnits : public testing_support::StudyTest {
 protected:
  io::ResultsReader results_of(const std::string& chain, const std::string& stage) const {
    return StudyTest::results_of(
        "units='material'\n", "[lattice]\ntype='chain'\nconstant='3 Å'\nmoment='2.2 μB'\n" + chain +
                                  "[field]\nB=['0 T','0 T','7 T']\n[[stage]]\n" + stage);
  }

  /// Angle and time (ps) after 2000 steps of a spin that starts along x.
  std::pair<double, double> turned(const std::string& timestep) const {
    const io::ResultsReader results = results_of(
        "size=[1]\nperiodic=false\n[initial]\nstate='aligned'\ndirection=[1,0,0]\n",
        "kind='dynamics'\nintegrator='rk4'\nsteps=2000\nmeasure=[{what='magnetisation',every="
        "2000}]\ntimestep='" +
            timestep + "'\n");
    const std::string series = "/stages/01-dynamics/series/magnetisation/";
    const auto m = results.read<double>(series + "value");
    const auto time = results.read<double>(series + "time");
    return {std::atan2(m[m.size() - 2], m[m.size() - 3]), time.back()};
  }
};

TEST_F(MaterialUnits, ASpinTurnsAtGammaTimesTheField) {
  const auto [angle, time] = turned("1 fs");
  EXPECT_NEAR(time, 2, 1e-12);
  EXPECT_NEAR(angle, gamma_per_ps_and_tesla * 7 * 2, 1e-6);
}

TEST_F(MaterialUnits, TimesAreTheSameInEveryUnit) {
  for (const char* timestep : {"1000 as", "0.001 ps", "1e-6 ns", "1e-9 μs", "1e-15 s"}) {
    const auto [angle, time] = turned(timestep);
    EXPECT_NEAR(time, 2, 1e-12) << timestep;
    EXPECT_NEAR(angle, gamma_per_ps_and_tesla * 7 * 2, 1e-6) << timestep;
  }
}

TEST_F(MaterialUnits, SpinWavesOfAFieldAreAtGammaTimesTheField) {
  // At the zone centre, exchange does not contribute to the frequency.
  const io::ResultsReader results =
      results_of("size=[8]\n[[exchange]]\nshell=1\nJ='5 meV'\n",
                 "kind='spin-waves'\nq=[[0,0,0]]\nground_state={state='aligned',direction=[0,0,1]"
                 "}\n");
  const auto frequency = results.read<double>("/stages/01-spin-waves/dispersion/frequency");
  ASSERT_EQ(frequency.size(), 1u);
  EXPECT_NEAR(frequency[0], gamma_per_ps_and_tesla * 7, 1e-6);
}

}  // namespace larmor::material_units_tests
