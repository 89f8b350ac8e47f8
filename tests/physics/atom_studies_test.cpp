// Whole studies of atoms: the atoms follow the keys of an md stage.
// Rooms: atoms, study

#include <fmt/core.h>

#include <cmath>
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

class ReplicasOfAtoms : public AtomStudies {
 protected:
  /// Three crystals of unequal numbers of atoms, species and boxes.
  void write_structures() const {
    std::string text;
    for (const auto& [n, a, species] :
         {std::tuple(2, 2.9, "W"), std::tuple(3, 2.8, "Be"), std::tuple(2, 3.0, "Be")}) {
      text += fmt::format(
          "{}\nLattice=\"{} 0 0 0 {} 0 0 0 {}\" Properties=species:S:1:pos:R:3 pbc=\"T T T\"\n",
          2 * n * n * n, n * a, n * a, n * a);
      for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y)
          for (int z = 0; z < n; ++z)
            text += fmt::format("{} {} {} {}\nW {} {} {}\n", species, x * a, y * a, z * a,
                                (x + 0.5) * a, (y + 0.5) * a, (z + 0.5) * a);
    }
    write_file("three.extxyz", text);
  }

  /// @param keys keys at the top of the study @param structure, atoms keys of these tables
  io::ResultsReader run_of_file(const std::string& keys, const std::string& structure,
                                const std::string& atoms, const std::string& stages) const {
    return results_of("units='material'\n" + keys,
                      "[model]\nkind='atoms'\n[structure]\nfile='three.extxyz'\n" + structure +
                          "\n[atoms]\n" + atoms + "\n[[zbl]]\ninner='3.4 Å'\nouter='4.2 Å'\n" +
                          stages);
  }
};

// The three stages draw noise for atoms, for kinetic energies and for boxes.
TEST_F(ReplicasOfAtoms, HaveTheBitsOfTheSameBoxAlone) {
  write_structures();
  const auto stages = [](const std::string& T, const std::string& P) {
    return stage(40, 5, "thermostat='langevin'\ntemperature=" + T) +
           stage(40, 5,
                 "thermostat='bussi'\nbarostat='stochastic-cell-rescaling'\ntemperature=" + T +
                     "\npressure=" + P) +
           stage(20, 5);
  };
  const std::vector<std::string> seeds{"11", "3", "9223372036854775807"},
      temperatures{"'300 K'", "{from='500 K',to='700 K'}", "'900 K'"},
      pressures{"'300 GPa'", "'100 GPa'", "'200 GPa'"}, initial{"'200 K'", "'600 K'", "'50 K'"};
  const auto list = [](const std::vector<std::string>& of) {
    return "[" + of[0] + "," + of[1] + "," + of[2] + "]";
  };
  const io::ResultsReader together =
      run_of_file("seed=5\nreplicas=3\n", "frames='all'",
                  "seeds=" + list(seeds) + "\ntemperature=" + list(initial),
                  stages(list(temperatures), list(pressures)));
  std::map<std::string, std::vector<double>> of_all;
  const std::vector<std::string> stage_names{"01-md", "02-md", "03-md"},
      names{"potential_energy", "kinetic_energy", "conserved_quantity", "pressure_xy"};
  for (const std::string& in : stage_names)
    for (const std::string& name : names) of_all[in + name] = series(together, in, name);
  for (std::size_t r = 0; r < 3; ++r) {
    const io::ResultsReader alone =
        run_of_file("seed=" + seeds[r] + "\nreplicas=1\n", "frame=" + std::to_string(r),
                    "temperature=" + initial[r], stages(temperatures[r], pressures[r]));
    for (const std::string& in : stage_names)
      for (const std::string& name : names) {
        const std::vector<double> expected = series(alone, in, name), &all = of_all[in + name];
        ASSERT_EQ(all.size(), 3 * expected.size());
        for (std::size_t n = 0; n < expected.size(); ++n)
          ASSERT_EQ(all[3 * n + r], expected[n]) << in << " " << name << " of replica " << r;
      }
  }
}

// At low temperatures the crystal is harmonic, so energies have the distributions of 3 N - 3
// oscillators at each rung. Velocities that are not rescaled in exchanges would heat the first
// rung, because their thermostat is weak.
TEST_F(AtomStudies, TemperingHasTheEnergiesOfAHarmonicCrystal) {
  constexpr double freedom = 3 * 16 - 3, k_B = 8.617333262e-5;
  const std::vector<double> T{100, 120, 144, 173};
  const io::ResultsReader results =
      run(2.9, "100 K",
          stage(1, 1, "thermostat='langevin'\ntemperature='100 K'") +
              "[[stage]]\nkind='tempering'\ntemperature=['100 K','120 K','144 K','173 "
              "K']\ntimestep='1 fs'\n"
              "thermostat_time='0.2 ps'\nexchange_every=20\nthermalisation=2000\nsteps=10000\n"
              "measure_every=10\n");
  const double ground = series(run(2.9, "0 K", stage(1, 1)), "01-md", "potential_energy")[0];
  const auto averages = [&](const std::string& name, const std::string& part) {
    return results.read<double>("/stages/02-tempering/averages/" + name + "/" + part);
  };
  const auto K = averages("kinetic_energy", "value"), K_error = averages("kinetic_energy", "error"),
             U = averages("potential_energy", "value"),
             U_error = averages("potential_energy", "error"), e = averages("energy", "value"),
             C = averages("configurational_specific_heat", "value"),
             C_error = averages("configurational_specific_heat", "error");
  for (std::size_t rung = 0; rung < T.size(); ++rung) {
    const double expected = freedom / 2 * k_B * T[rung];
    EXPECT_NEAR(K[rung], expected, 4 * K_error[rung]);
    EXPECT_NEAR(U[rung] - ground, expected, 4 * U_error[rung]);
    EXPECT_LT(K_error[rung], 0.02 * expected);
    EXPECT_LT(U_error[rung], 0.02 * expected);
    EXPECT_NEAR(e[rung], U[rung] / 16, 1e-12 * std::abs(e[rung]));
    EXPECT_NEAR(C[rung], freedom / 2 / 16, 4 * C_error[rung]);
  }
  for (const double acceptance : results.read<double>("/stages/02-tempering/ladder/acceptance"))
    EXPECT_GT(acceptance, 0.1);
}

}  // namespace
}  // namespace larmor::testing_support::atom_studies_tests
