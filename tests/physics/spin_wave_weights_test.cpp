// The weight of every single line of S(q,w). The integral over one branch of the engine's
// trajectories is compared with linear spin-wave theory. Sums over branches would hide a weight
// that is assigned to the wrong branch.
// Rooms: correlations, spinwaves

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/correlations/spectra/structure_factor.hpp"
#include "larmor/spins/samplers/sampler.hpp"
#include "spin_wave_support.hpp"

namespace larmor::spin_wave_weights_tests {

using testing_support::sigmas_of_alpha;
using testing_support::SpinWaveSystem;
using testing_support::TestSystem;
using testing_support::Theory;

struct Branches {
  const char* name;
  std::string text;
  std::vector<Vec3<double>> of_atoms;
  std::size_t lines;  ///< number of resolved lines, on both sides of zero, over all wave vectors

  friend void PrintTo(const Branches& tested, std::ostream* out) { *out << tested.name; }
};

class SpinWaveWeights : public testing::TestWithParam<Branches> {};

constexpr Index replicas = 256;
/// Number of frequencies on either side of a line, beyond which a Hann window is negligible.
constexpr Index reach = 5;

correlations::StructureFactorSettings settings_on(const lattice::Geometry& geometry) {
  correlations::StructureFactorSettings settings;
  settings.q = correlations::q_explicit(
      geometry, {{0.125, 0, 0}, {0.375, 0.125, 0}, {0.5, 0.25, 0}, {0.25, -0.375, 0}});
  settings.interval = 0.4;
  settings.samples = 220;
  // If the origin were fixed, products of two modes would hide a weak line near a strong line.
  settings.origins = correlations::Origins::all;
  return settings;
}

correlations::StructureFactorResult measured(const Branches& branches, double T) {
  TestSystem system(branches.text, replicas, 2);
  system.state.set_by_site([&](Index site) {
    return branches.of_atoms[static_cast<std::size_t>(system.geometry.basis_index(site))];
  });
  spins::Sampler sampler = system.sampler({spins::Update::heat_bath}, T, 5);
  sampler.run(system.state, 300);
  const correlations::StructureFactorSettings settings = settings_on(system.geometry);
  correlations::StructureFactor correlations(system.geometry, settings, replicas);
  spins::Integrator integrator = system.integrator(spins::Scheme::rk4, settings.interval / 8);
  for (Index n = 0; n < settings.samples; ++n) {
    correlations.add(system.state);
    integrator.run(system.state, 8);
  }
  return correlations.finish(2);
}

/// Is the line so far from zero and from all other lines that the windows do not overlap?
bool stands_alone(const spinwaves::WaveVectorSpectrum& spectrum, double frequency, double bin) {
  if (std::abs(frequency) < (2 * reach + 1) * bin) return false;
  int near = 0;
  for (const auto* lines : {&spectrum.lines, &spectrum.mirror})
    for (const spinwaves::Line& line : *lines)
      near += std::abs(line.frequency - frequency) < (2 * reach + 1) * bin;
  return near == 1;
}

TEST_P(SpinWaveWeights, AreThoseOfTheirLines) {
  constexpr double T = 0.002;
  SpinWaveSystem at_rest(GetParam().text);
  at_rest.set([](const Vec3<double>&, int atom) {
    return GetParam().of_atoms[static_cast<std::size_t>(atom)];
  });
  const Theory theory(at_rest);
  const correlations::StructureFactorResult result = measured(GetParam(), T);
  const auto q = settings_on(at_rest.system.geometry).q;
  const auto F = static_cast<Index>(result.frequency.size());
  const double bin = result.frequency[1] - result.frequency[0];

  std::vector<double> ratio;
  for (Index n = 0; n < q.size(); ++n) {
    const auto spectrum = theory.spectrum(q.cartesian[static_cast<std::size_t>(n)], T);
    double strongest = 0;
    for (const spinwaves::Line& line : spectrum.lines)
      strongest = std::max(strongest, line.intensity());
    for (const auto* lines : {&spectrum.lines, &spectrum.mirror})
      for (const spinwaves::Line& line : *lines) {
        if (line.intensity() < 0.03 * strongest) continue;
        if (!stands_alone(spectrum, line.frequency, bin)) continue;
        const Index centre = std::lround(line.frequency / bin) + (F - 1) / 2;
        double weight = 0;
        for (Index k = centre - reach; k <= centre + reach; ++k)
          weight +=
              bin / (2 * std::numbers::pi) * result.intensity[static_cast<std::size_t>(n * F + k)];
        ratio.push_back(weight / line.intensity());
        // The squared amplitude of a normal mode has a standard deviation equal to its mean.
        EXPECT_NEAR(ratio.back(), 1, sigmas_of_alpha / std::sqrt(1.0 * replicas) + 0.01)
            << "q " << n << ", line at " << line.frequency;
      }
  }
  EXPECT_EQ(ratio.size(), GetParam().lines);
  double mean = 0;
  for (const double r : ratio) mean += r / static_cast<double>(ratio.size());
  const double independent = static_cast<double>(replicas) * static_cast<double>(ratio.size());
  EXPECT_NEAR(mean, 1, sigmas_of_alpha / std::sqrt(independent) + 0.01);
}

constexpr const char* counterclockwise =
    "[[dmi]]\natoms=[0,1]\noffset=[[1,0,0],[0,-1,0]]\nD=[0,0,0.2]\n"
    "[[dmi]]\natoms=[1,2]\noffset=[[-1,0,0],[0,0,0]]\nD=[0,0,0.2]\n"
    "[[dmi]]\natoms=[2,0]\noffset=[[0,0,0],[0,1,0]]\nD=[0,0,0.2]\n";

INSTANTIATE_TEST_SUITE_P(
    Of, SpinWaveWeights,
    testing::Values(
        // A field along the moments separates the two branches by 2 B.
        Branches{"honeycomb_antiferromagnet_in_a_field",
                 "[lattice]\ntype='honeycomb'\nsize=[8,8]\n[[exchange]]\nshell=1\nJ=-1\n"
                 "[[anisotropy]]\nK=0.25\n[field]\nB=[0,0,0.5]\n",
                 {{0, 0, 1}, {0, 0, -1}},
                 16},
        Branches{"kagome_dmi",
                 std::string("[lattice]\ntype='kagome'\nsize=[8,8]\n[[exchange]]\nshell=1\nJ=1\n") +
                     counterclockwise + "[field]\nB=[0,0,0.4]\n",
                 {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
                 14}),
    [](const auto& test) { return std::string(test.param.name); });
INSTANTIATE_TEST_SUITE_P(
    Depth, SpinWaveWeights,
    testing::Values(
        // D along the moments splits the two branches at q and -q. The moments differ.
        Branches{
            "honeycomb_ferromagnet",
            "[lattice]\ntype='honeycomb'\nsize=[8,8]\nmoment=[1,1.5]\n[[exchange]]\nshell=1\n"
            "J=1\n[[dmi]]\natoms=[0,0]\noffset=[[1,0,0]]\nD=[0,0,0.15]\n[field]\nB=[0,0,0.4]\n",
            {{0, 0, 1}, {0, 0, 1}},
            13}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace larmor::spin_wave_weights_tests
