// Lifetimes of a study are compared with closed forms. The theory is also compared with dynamics.
// Rooms: spins, study

#include <cmath>
#include <limits>
#include <numbers>

#include "larmor/spins/htst/harmonic_rate.hpp"
#include "study_test.hpp"

namespace larmor::lifetime_study_tests {

using testing_support::StudyTest;
using testing_support::TestSystem;
constexpr double pi = std::numbers::pi;

class LifetimeStudy : public StudyTest {
 protected:
  static constexpr const char* stage = "/stages/01-minimum-energy-path";

  /// The path of a grain from up to down, with the given keys of its lifetime.
  io::ResultsReader path_of(const std::string& keys, const std::string& system,
                            const std::string& lifetime) const {
    return results_of(keys, system + "[initial]\nstate='aligned'\ndirection=[0.1,0.02,1]\n" +
                                "[[stage]]\nkind='minimum-energy-path'\nfinal={state='aligned',"
                                "direction=[0.1,0.02,-1]}\nimages=7\nlifetime={" +
                                lifetime + "}\n");
  }
  static const std::string grain;
};
const std::string LifetimeStudy::grain =
    "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=[2]\n[[anisotropy]]\nK=1\n"
    "[[anisotropy]]\nK=-0.4\naxis=[0,1,0]\n";

TEST_F(LifetimeStudy, OfAGrainIsTheClosedFormAtEveryTemperature) {
  const io::ResultsReader results = path_of("", grain + "[field]\nB=[0,0,-0.05]\n",
                                            "temperature=[0.05,0.1],equivalent_saddles=2");
  const std::string at = std::string(stage) + "/lifetime";
  // The field lies along the easy axis, with mu B = -0.1. The curvatures of the minima are 2 K +-
  // mu B and 2 K + 2 D +- mu B. Those of the saddle, at cos theta = -mu B / 2 K, are -2 K sin^2 and
  // 2 D.
  const double b = -0.1, sine2 = 1 - b * b / 4;
  for (const auto& [way, sign] : {std::pair{"forward", 1.0}, {"backward", -1.0}}) {
    const auto rate = results.read<double>(at + "/" + way + "/rate");
    const auto lifetime = results.read<double>(at + "/" + way + "/lifetime");
    ASSERT_EQ(rate.size(), 2u);
    const double barrier = std::pow(1 + sign * b / 2, 2);
    for (std::size_t n = 0; n < 2; ++n) {
      const double T = n == 0 ? 0.05 : 0.1;
      // The factor kappa = gamma / mu sqrt(lambda_1 lambda_2) cancels the curvatures of the saddle.
      const double expected =
          2 * std::sqrt((2 + sign * b) * (2.8 + sign * b)) / 2 / (2 * pi) * std::exp(-barrier / T);
      EXPECT_NEAR(rate[n] / expected, 1, 1e-10);
      EXPECT_NEAR(lifetime[n] * rate[n], 1, 1e-14);
    }
  }
  const auto eigenvalues = results.read<double>(at + "/saddle/eigenvalues");
  ASSERT_EQ(eigenvalues.size(), 2u);
  EXPECT_NEAR(eigenvalues[0], -2 * sine2, 1e-12);
  EXPECT_NEAR(eigenvalues[1], 0.8, 1e-12);
}

TEST_F(LifetimeStudy, IsALogarithmWhereTheRateIsNoNumber) {
  const io::ResultsReader results = path_of("", grain, "temperature={from=0.001,to=0.1,points=3}");
  const std::string at = std::string(stage) + "/lifetime";
  const auto temperature = results.read<double>(at + "/temperature"),
             log_rate = results.read<double>(at + "/forward/log_rate"),
             rate = results.read<double>(at + "/forward/rate");
  ASSERT_EQ(temperature.size(), 3u);
  EXPECT_NEAR(temperature[1], 0.0505, 1e-15);
  for (std::size_t n = 0; n < 3; ++n)
    EXPECT_NEAR(log_rate[n], std::log(std::sqrt(2 * 2.8) / 2 / (2 * pi)) - 1 / temperature[n],
                1e-9);
  EXPECT_EQ(rate[0], 0);
  EXPECT_TRUE(std::isinf(results.read<double>(at + "/forward/lifetime")[0]));
  EXPECT_NEAR(std::log(rate[2]), log_rate[2], 1e-12);
}

TEST_F(LifetimeStudy, InMaterialUnitsIsInPicoseconds) {
  const io::ResultsReader results = path_of(
      "units='material'\n",
      "[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\nmoment=['2 mu_B']\nconstant='3 Å'\n"
      "[[anisotropy]]\nK='1 meV'\n[[anisotropy]]\nK='-0.4 meV'\naxis=[0,1,0]\n",
      "temperature='2 K'");
  const std::string at = std::string(stage) + "/lifetime/forward";
  // Here g mu_B / hbar is 0.17609 rad/(ps T), and sqrt(2 K (2 K + 2 D)) / (2 mu_B) is the field in
  // tesla.
  const Constants& c = codata_2018;
  const double field = std::sqrt(2e-3 * 2.8e-3) / (2 * c.mu_B);
  const double expected = c.gamma() * field / (2 * pi) * std::exp(-1e-3 / (c.k_B * 2));
  EXPECT_NEAR(results.read<double>(at + "/rate")[0] / expected, 1, 1e-9);
  EXPECT_EQ(results.unit_of(at + "/rate"), "1/ps");
  EXPECT_EQ(results.unit_of(at + "/lifetime"), "ps");
}

TEST_F(LifetimeStudy, HasNoRatesOverAStateThatIsNoSaddle) {
  // Six free spins turn together on the first path, so its top has six unstable modes.
  const io::ResultsReader results =
      results_of("",
                 "[lattice]\ntype='chain'\nsize=[6]\n[[anisotropy]]\nK=1\n[[anisotropy]]\nK=-0.4\n"
                 "axis=[0,1,0]\n[initial]\nstate='aligned'\n[[stage]]\nkind='minimum-energy-path'\n"
                 "final={state='aligned',direction=[0,0,-1]}\nimages=5\nperturbation=0\n"
                 "axis=[0,1,0]\nlifetime={temperature=0.1}\n");
  EXPECT_EQ(
      results.attributes(std::string(stage) + "/lifetime/saddle").at("unstable_modes").integer(),
      6);
  EXPECT_FALSE(results.exists(std::string(stage) + "/lifetime/temperature"));
}

TEST(HarmonicRate, IsThatOfDirectDynamics) {
  // Grains with the energy - K z^2 start up, and m_z falls as exp(-2 k t) with the rate k. At K / T
  // = 6, the harmonic rate is too large. The lowest eigenvalue of the Fokker-Planck equation,
  // solved on a fine grid of z, is 0.818 of that rate. With 8192 grains, the noise is 1.5 per cent.
  const double damping = 0.5, T = 1.0 / 6, beyond_harmonic = 0.818;
  const Index sites = 1024, replicas = 8;
  TestSystem grains("[lattice]\ntype='chain'\nsize=[1024]\n[[anisotropy]]\nK=1\n", replicas);
  TestSystem one("[lattice]\ntype='chain'\nsize=[1]\nperiodic=false\n[[anisotropy]]\nK=1\n");
  const auto state = [&](const spins::SiteVectors& e) {
    return spins::find_stationary_state(one.model, one.geometry, e, {}, "the state");
  };
  const spins::StationaryState minimum = state({0, 0, 1}), saddle = state({1, 0, 0});
  const double k =
      spins::Escape(minimum, saddle, 1).rate(spins::langer_factor(saddle, {1.0}, damping), T);
  grains.state.set_all(
      std::vector<Vec3<double>>(static_cast<std::size_t>(sites), Vec3<double>{0, 0, 1}));
  const double timestep = 0.05;
  spins::Integrator dynamics = grains.integrator(spins::Scheme::depondt, timestep, damping, T, 5);
  const auto magnetisation = [&] {
    double sum = 0;
    for (const Vec3<double>& m : magnetisation_per_site(grains.model, grains.state)) sum += m.z;
    return sum / static_cast<double>(replicas);
  };
  // The first steps reach equilibrium within the wells.
  dynamics.run(grains.state, 1000);
  const double before = magnetisation();
  const auto steps = static_cast<Index>(0.5 / k / timestep);
  dynamics.run(grains.state, steps);
  const double measured =
      -std::log(magnetisation() / before) / (2 * static_cast<double>(steps) * timestep);
  EXPECT_NEAR(measured / (k * beyond_harmonic), 1, 0.06)
      << "theory " << k << ", dynamics " << measured;
}

}  // namespace larmor::lifetime_study_tests
