// Whole studies of atoms: the atoms follow the keys of an md stage.
// Rooms: atoms, study

#include <fmt/core.h>

#include <numeric>

#include "study_test.hpp"

namespace larmor::testing_support::atom_studies_tests {
namespace {

class AtomStudies : public StudyTest {
 protected:
  /// Runs atoms with only repulsion, in a box that keeps them close.
  io::ResultsReader run(double constant, const std::string& temperature,
                        const std::string& stages) const {
    return results_of("units='material'\nreplicas=8\n",
                      fmt::format("[model]\nkind='atoms'\n[lattice]\ntype='bcc'\nsize=[2,2,2]\n"
                                  "constant='{} Å'\nspecies=['W']\n[atoms]\ntemperature='{}'\n"
                                  "[[zbl]]\ninner='3.4 Å'\nouter='4.2 Å'\n{}",
                                  constant, temperature, stages));
  }

  static std::string stage(Index steps, Index every, const std::string& keys = "") {
    return fmt::format(
        "[[stage]]\nkind='md'\ntimestep='1 fs'\nsteps={}\n{}\n"
        "measure=[{{what='thermodynamics',every={}}}]\n",
        steps, keys, every);
  }

  /// Rows of a series, (sample, replica).
  static std::vector<double> series(const io::ResultsReader& results, const std::string& stage,
                                    const std::string& name) {
    return results.read<double>("/stages/" + stage + "/series/" + name + "/value");
  }
};

TEST_F(AtomStudies, PressureIsMinusTheSlopeOfTheEnergyByTheVolume) {
  constexpr double constant = 2.9, step = 1e-3;
  const auto energy = [&](double a) {
    return series(run(a, "0 K", stage(1, 1)), "01-md", "potential_energy")[0];
  };
  const auto volume = [](double a) { return 8 * a * a * a; };
  const double slope = (energy(constant + step) - energy(constant - step)) /
                       (volume(constant + step) - volume(constant - step));
  const io::ResultsReader results = run(constant, "0 K", stage(1, 1));
  // 1 eV/Angstrom^3 is 160.2176634 GPa.
  const double expected = -160.2176634 * slope;
  EXPECT_NEAR(series(results, "01-md", "pressure")[0] / expected, 1, 1e-5);
  EXPECT_NEAR(series(results, "01-md", "pressure_yy")[0] / expected, 1, 1e-5);
  EXPECT_NEAR(series(results, "01-md", "pressure_yz")[0] / expected, 0, 1e-9);
}

// The strong thermostat brings the atoms to the temperature of the ramp within a few steps.
TEST_F(AtomStudies, ARampBeginsWithItsStage) {
  const std::string ramp =
      "thermostat='langevin'\nthermostat_time='2 fs'\ntemperature={from='0 K',to='4000 K'}";
  const io::ResultsReader results = run(2.9, "600 K", stage(300, 10) + stage(400, 1, ramp));
  const std::vector<double> T = series(results, "02-md", "temperature");
  const auto mean = [&](Index first, Index last) {
    const auto begin = T.begin() + 8 * first, end = T.begin() + 8 * last;
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  };
  EXPECT_NEAR(mean(40, 60), 500, 150);
  EXPECT_NEAR(mean(340, 360), 3500, 600);
}

// A stage at constant temperature continues with the atoms of the previous stage.
TEST_F(AtomStudies, EnergyIsHandedFromStageToStage) {
  const io::ResultsReader results = run(2.9, "600 K", stage(100, 10) + stage(100, 10));
  const std::vector<double> first = series(results, "01-md", "total_energy"),
                            second = series(results, "02-md", "total_energy");
  for (std::size_t r = 0; r < 8; ++r) EXPECT_EQ(first[first.size() - 8 + r], second[r]);
}

}  // namespace
}  // namespace larmor::testing_support::atom_studies_tests
