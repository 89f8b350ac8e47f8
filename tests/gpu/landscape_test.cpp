// Minimisers and paths on the CPU and on a GPU. The steps of both devices agree to rounding. After
// a save and a load, a GPU continues with equal bits.
// Rooms: spins

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/spins/landscape/geodesic_neb.hpp"
#include "larmor/spins/landscape/minimiser.hpp"
#include "larmor/spins/landscape/path_start.hpp"
#include "larmor/spins/observables/observables.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"
#include "tests/named.hpp"

namespace larmor::spins::gpu_landscape_tests {
namespace {

using larmor::testing_support::Named;

constexpr const char* every_term =
    "[lattice]\ntype='kagome'\nsize=[5,6]\nperiodic=[true,false]\n[[alloy]]\nby='vacancy'\n"
    "fraction=0.1\n[[exchange]]\nshell=1\nJ=-1\n[[biquadratic]]\nshell=1\nb=0.1\n[[dmi]]\nshell=1\n"
    "strength=0.4\ndirection='interface'\n[[anisotropy]]\nK=0.3\naxis=[0,0.6,0.8]\n"
    "[[cubic-anisotropy]]\nK4=0.2\n[field]\nB=[0,0.1,0.4]\n[dipolar]\nstrength=0.1\nmethod='fft'\n";
constexpr const char* grains =
    "[lattice]\ntype='square'\nsize=[6,6]\n[[exchange]]\nshell=1\nJ=1\n[[anisotropy]]\nK=0.3\n";

study::SystemTables tables(const char* text, Index replicas) {
  return study::parse_system("replicas = " + std::to_string(replicas) + "\n" + text, "test");
}

class LandscapeOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

class MinimiserOnGpu : public testing::TestWithParam<Named<Method>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  static MinimiserSettings settings(double tolerance) {
    MinimiserSettings settings;
    settings.method = GetParam().value;
    settings.tolerance = tolerance;
    return settings;
  }
};

TEST_P(MinimiserOnGpu, StepsAsOnTheCpu) {
  for (const Index replicas : {1, 3, 17}) {
    study::SpinSystem cpu(tables(every_term, replicas), Device::cpu()),
        gpu(tables(every_term, replicas), Device::cuda(0));
    Minimiser on_cpu(cpu.model, cpu.state.layout(), settings(1e-9), cpu.device),
        on_gpu(gpu.model, gpu.state.layout(), settings(1e-9), gpu.device);
    for (Minimiser* minimiser : {&on_cpu, &on_gpu}) minimiser->set_field({0.1, 0, 0.2});
    cpu.state.randomise(3);
    gpu.state.randomise(3);
    on_cpu.start(cpu.state);
    on_gpu.start(gpu.state);
    for (int step = 0; step < 12; ++step) {
      on_cpu.run(cpu.state, 1);
      on_gpu.run(gpu.state, 1);
      const std::vector<double> a = cpu.state.configurations(replicas),
                                b = gpu.state.configurations(replicas);
      double largest = 0;
      for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
      // Steps amplify rounding errors.
      ASSERT_LT(largest, 1e-9) << "step " << step << ", " << replicas << " replicas";
    }
  }
}

TEST_P(MinimiserOnGpu, ConvergesToTheEnergiesOfTheCpu) {
  // Both systems start near one minimum, so that both find it.
  study::SpinSystem cpu(tables(grains, 5), Device::cpu()), gpu(tables(grains, 5), Device::cuda(0));
  std::vector<std::vector<double>> energies;
  for (study::SpinSystem* system : {&cpu, &gpu}) {
    perturb(system->state, system->model.canonical(), 1, 0.4, 0, 5);
    Minimiser minimiser(system->model, system->state.layout(), settings(1e-10), system->device);
    minimiser.start(system->state);
    minimiser.run(system->state, 20000);
    EXPECT_EQ(minimiser.converged(), 5);
    energies.push_back(minimiser.energies());
    for (const double torque : minimiser.torques()) EXPECT_LE(torque, 1e-10);
  }
  for (std::size_t r = 0; r < 5; ++r) {
    EXPECT_NEAR(energies[0][r], -2.3, 1e-13);
    EXPECT_NEAR(energies[1][r], -2.3, 1e-13);
  }
}

TEST_P(MinimiserOnGpu, GoesOnWithTheSameBits) {
  for (const Index replicas : {1, 3}) {
    study::SpinSystem system(tables(every_term, replicas), Device::cuda(0));
    system.state.randomise(4);
    Minimiser minimiser(system.model, system.state.layout(), settings(1e-9), system.device);
    minimiser.start(system.state);
    minimiser.run(system.state, 17);
    const std::vector<double> saved = minimiser.save();
    minimiser.run(system.state, 20);
    const std::vector<double> expected = system.state.configurations(replicas);
    Minimiser resumed(system.model, system.state.layout(), settings(1e-9), system.device);
    resumed.load(saved);
    resumed.run(system.state, 20);
    EXPECT_EQ(system.state.configurations(replicas), expected);
  }
}

TEST_P(MinimiserOnGpu, ConvergesInMixedPrecisionToItsTolerance) {
  Device mixed = Device::cuda(0);
  mixed.precision = Precision::mixed_numbers;
  study::SpinSystem system(tables(grains, 3), mixed);
  perturb(system.state, system.model.canonical(), 1, 0.4, 0, 3);
  const double finest =
      finest_tolerance(Precision::mixed_numbers) * system.model.largest_derivative();
  Minimiser minimiser(system.model, system.state.layout(), settings(finest), mixed);
  minimiser.start(system.state);
  minimiser.run(system.state, 20000);
  EXPECT_EQ(minimiser.converged(), 3);
  for (const double energy : minimiser.energies()) EXPECT_NEAR(energy, -2.3, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Landscape, MinimiserOnGpu,
                         testing::Values(Named<Method>{"lbfgs", Method::lbfgs},
                                         Named<Method>{"cg", Method::conjugate_gradient},
                                         Named<Method>{"damped", Method::damped}),
                         testing_support::by_name);

TEST_F(LandscapeOnGpu, PerturbsAsOnTheCpu) {
  study::SpinSystem cpu(tables(every_term, 9), Device::cpu()),
      gpu(tables(every_term, 9), Device::cuda(0));
  for (study::SpinSystem* system : {&cpu, &gpu}) {
    system->state.randomise(1);
    for (const RandomTurns turns :
         {RandomTurns::each, RandomTurns::half_together, RandomTurns::replicas_alike})
      perturb(system->state, system->model.canonical(), 5, 0.3, 2, 7, turns);
  }
  const std::vector<double> a = cpu.state.configurations(9), b = gpu.state.configurations(9);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-14);
}

/// A path of images from all spins up to all spins down, which leaves the plane.
struct BandOfGrain {
  study::SpinSystem system;
  GeodesicNeb band;

  BandOfGrain(const NebSettings& settings, const Device& device)
      : system(tables(grains, 1), device), band(system.model, settings, device) {
    SiteVectors up;
    copy_spins(system.state, 0, up);
    SiteVectors down = up;
    for (double& x : down) x = -x;
    band.start(geodesic_path({up, down}, settings.images, Vec3<double>{0, 1, 0}));
    band.perturb(3, 0, 0.05);
  }
  double barrier() const {
    return band.energies()[static_cast<std::size_t>(band.highest())] - band.energies().front();
  }
};

TEST_F(LandscapeOnGpu, PathsStepAsOnTheCpu) {
  for (const NebMethod method : {NebMethod::velocity_projection, NebMethod::lbfgs}) {
    const NebSettings settings{.images = 11, .method = method, .tolerance = 1e-8};
    BandOfGrain cpu(settings, Device::cpu()), gpu(settings, Device::cuda(0));
    for (int step = 0; step < 20; ++step) {
      cpu.band.run(1);
      gpu.band.run(1);
      for (std::size_t i = 0; i < 11; ++i) {
        ASSERT_NEAR(cpu.band.energies()[i], gpu.band.energies()[i], 1e-9) << step;
        ASSERT_NEAR(cpu.band.coordinates()[i], gpu.band.coordinates()[i], 1e-9) << step;
      }
    }
    for (BandOfGrain* path : {&cpu, &gpu}) {
      path->band.run(20000);
      EXPECT_TRUE(path->band.converged());
    }
    EXPECT_NEAR(cpu.barrier(), gpu.barrier(), 1e-9);
  }
}

TEST_F(LandscapeOnGpu, PathsGoOnWithTheSameBits) {
  for (const NebMethod method : {NebMethod::velocity_projection, NebMethod::lbfgs}) {
    const NebSettings settings{.images = 9, .method = method};
    BandOfGrain path(settings, Device::cuda(0)), resumed(settings, Device::cuda(0));
    path.band.run(13);
    resumed.band.load(path.band.save());
    path.band.run(25);
    resumed.band.run(25);
    EXPECT_EQ(path.band.images().configurations(9), resumed.band.images().configurations(9));
    EXPECT_EQ(path.band.energies(), resumed.band.energies());
  }
}

}  // namespace
}  // namespace larmor::spins::gpu_landscape_tests
