// S(q,w) from the engine's trajectories at a low temperature. The lines must have the frequencies
// and intensities of linear spin-wave theory.
// Rooms: correlations, spinwaves

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "spin_wave_support.hpp"
#include "tests/spectrum_peak.hpp"

namespace larmor::spin_wave_ridges_tests {

using testing_support::SpinWaveSystem;
using testing_support::TestSystem;
using testing_support::Theory;

struct Ridges {
  const char* name;
  std::string text;
  std::vector<Vec3<double>> of_atoms;
  int fewest_lines;  ///< least number of resolved lines over all wave vectors

  friend void PrintTo(const Ridges& tested, std::ostream* out) { *out << tested.name; }
};

class SpinWaveRidges : public testing::TestWithParam<Ridges> {};

/// The distance in frequency to the nearest other line that has sufficient intensity.
double clearance(const std::vector<spinwaves::Line>& lines, std::size_t m, double total) {
  double least = lines[m].frequency;
  for (std::size_t other = 0; other < lines.size(); ++other) {
    const double apart = std::abs(lines[other].frequency - lines[m].frequency);
    if (apart > 1e-6 && lines[other].intensity() > 1e-3 * total) least = std::min(least, apart);
  }
  return least;
}

TEST_P(SpinWaveRidges, StandOnLinearSpinWaveTheory) {
  constexpr double T = 0.002, every = 0.25;
  constexpr Index replicas = 16, window = 4;
  const std::vector<Vec3<double>>& of_atoms = GetParam().of_atoms;
  SpinWaveSystem at_rest(GetParam().text);
  at_rest.set(
      [&](const Vec3<double>&, int atom) { return of_atoms[static_cast<std::size_t>(atom)]; });
  const Theory theory(at_rest);

  TestSystem system(GetParam().text, replicas, 2);
  system.state.set_by_site([&](Index site) {
    return of_atoms[static_cast<std::size_t>(system.geometry.basis_index(site))];
  });
  spins::Sampler sampler = system.sampler({spins::Update::heat_bath}, T, 5);
  sampler.run(system.state, 300);
  correlations::StructureFactorSettings settings;
  settings.q = correlations::q_path(system.geometry, {"Γ", "K", "M", "Γ"}, {});
  settings.interval = every;
  settings.samples = 500;
  correlations::StructureFactor correlations(system.geometry, settings, replicas);
  spins::Integrator integrator = system.integrator(spins::Scheme::rk4, every / 8);
  for (Index n = 0; n < settings.samples; ++n) {
    correlations.add(system.state);
    integrator.run(system.state, 8);
  }
  const correlations::StructureFactorResult result = correlations.finish(2);

  const std::size_t F = result.frequency.size();
  const double bin = result.frequency[1] - result.frequency[0];
  int told_apart = 0;
  double measured = 0, expected = 0;
  for (std::size_t q = 0; q < settings.q.q.size(); ++q) {
    const auto spectrum = theory.spectrum(settings.q.cartesian[q], T);
    double total = 0;
    for (const auto* lines : {&spectrum.lines, &spectrum.mirror})
      for (const spinwaves::Line& line : *lines) total += line.intensity();
    measured += result.static_value[q];
    expected += total;
    for (std::size_t m = 0; m < spectrum.lines.size(); ++m) {
      const spinwaves::Line& line = spectrum.lines[m];
      if (line.intensity() < 0.05 * total) continue;
      if (clearance(spectrum.lines, m, total) < 2 * window * bin) continue;
      ++told_apart;
      const auto centre = static_cast<std::size_t>(std::lround(line.frequency / bin)) + (F - 1) / 2;
      const auto around = [&](const std::vector<double>& values, std::size_t first) {
        return std::span(values).subspan(first + centre - window, 2 * window + 1);
      };
      const double peak =
          testing_support::fit_peak(around(result.frequency, 0), around(result.intensity, q * F));
      EXPECT_NEAR(peak, line.frequency, 0.5 * bin) << "q " << q << ", mode " << m;
    }
  }
  EXPECT_GE(told_apart, GetParam().fewest_lines);
  // S(q) at one q is a chi-square with about 4 * replicas degrees of freedom. The sum covers all q.
  EXPECT_NEAR(measured / expected, 1, 0.15);
}

constexpr const char* counterclockwise =
    "[[dmi]]\natoms=[0,1]\noffset=[[1,0,0],[0,-1,0]]\nD=[0,0,0.2]\n"
    "[[dmi]]\natoms=[1,2]\noffset=[[-1,0,0],[0,0,0]]\nD=[0,0,0.2]\n"
    "[[dmi]]\natoms=[2,0]\noffset=[[0,0,0],[0,1,0]]\nD=[0,0,0.2]\n";

INSTANTIATE_TEST_SUITE_P(
    Of, SpinWaveRidges,
    testing::Values(
        Ridges{"honeycomb_antiferromagnet",
               "[lattice]\ntype='honeycomb'\nsize=[12,12]\n[[exchange]]\nshell=1\nJ=-1\n"
               "[[anisotropy]]\nK=0.05\n",
               {{0, 0, 1}, {0, 0, -1}},
               10},
        Ridges{"kagome_dmi",
               std::string("[lattice]\ntype='kagome'\nsize=[12,12]\n[[exchange]]\nshell=1\nJ=1\n") +
                   counterclockwise + "[field]\nB=[0,0,0.3]\n",
               {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
               14}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace larmor::spin_wave_ridges_tests
