// Quantum spins on a GPU against those on the CPU.
// Rooms: quantum

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/quantum/low_levels.hpp"
#include "larmor/quantum/typicality.hpp"

namespace larmor::gpu_quantum_tests {

using namespace larmor::quantum;
using Kind = Sector::Kind;

/// A ring with chords; couplings and fields differ.
SpinModel uneven_ring(int sites, bool has_Jxy, bool has_hz, bool has_Gamma) {
  SpinModel model;
  model.sites = sites;
  for (int i = 0; i < sites && sites > 1; ++i) {
    model.bonds.push_back({i, (i + 1) % sites, std::sin(3.1 * i + 1), has_Jxy ? std::cos(i) : 0});
    if (i % 3 == 0 && sites > 6)
      model.bonds.push_back({i, (i + sites / 2) % sites, 0.4, has_Jxy ? -0.3 : 0});
  }
  for (int i = 0; i < sites; ++i) {
    model.hz.push_back(has_hz ? 0.2 * std::cos(1.7 * i) : 0);
    model.Gamma.push_back(has_Gamma ? 0.6 + 0.3 * std::cos(2.3 * i) : 0);
  }
  return model;
}

class QuantumOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

std::vector<double> product(const Device& device, const SpinModel& model, const Sector& sector) {
  const Hamiltonian H(device, model, sector);
  Vector in(device, H.states()), out(device, H.states());
  transfer::randomise(in, {3, 0, Stream::lanczos});
  H.multiply(in, out);
  return out.to_host();
}

void expect_equal_products(const SpinModel& model, const Sector& sector) {
  const std::vector<double> cpu = product(Device::cpu(4), model, sector);
  const std::vector<double> gpu = product(Device::cuda(0), model, sector);
  double largest = 0, error = 0;
  for (std::size_t x = 0; x < cpu.size(); ++x) {
    largest = std::max(largest, std::abs(cpu[x]));
    error = std::max(error, std::abs(cpu[x] - gpu[x]));
  }
  EXPECT_LT(error, 1e-14 * largest) << model.sites << ", " << static_cast<int>(sector.kind);
}

TEST_F(QuantumOnGpu, HasTheProductsOfTheCpu) {
  for (const int sites : {1, 2, 5, 11, 12, 13, 14, 18, 21, 24})
    for (const bool has_Jxy : {false, true}) {
      expect_equal_products(uneven_ring(sites, has_Jxy, true, true), {Kind::all});
      expect_equal_products(uneven_ring(sites, has_Jxy, false, true), {Kind::even});
      expect_equal_products(uneven_ring(sites, has_Jxy, false, true), {Kind::odd});
      expect_equal_products(uneven_ring(sites, has_Jxy, true, false),
                            {Kind::magnetisation, sites / 2});
    }
}

TEST_F(QuantumOnGpu, HasTheLevelsAndAveragesOfTheCpu) {
  for (const auto& [model, sector] :
       {std::pair(uneven_ring(13, false, true, true), Sector{Kind::all}),
        std::pair(uneven_ring(16, true, false, true), Sector{Kind::odd}),
        std::pair(uneven_ring(16, true, true, false), Sector{Kind::magnetisation, 7})}) {
    LowLevels cpu(Device::cpu(4), model, sector, {.wanted = 3, .tolerance = 1e-12});
    LowLevels gpu(Device::cuda(0), model, sector, {.wanted = 3, .tolerance = 1e-12});
    while (!cpu.step()) {
    }
    while (!gpu.step()) {
    }
    for (std::size_t n = 0; n < 3; ++n)
      EXPECT_NEAR(cpu.levels()[n].energy, gpu.levels()[n].energy, 1e-11);
    EXPECT_NEAR(cpu.averages(0).diagonal().m4, gpu.averages(0).diagonal().m4, 1e-8);
    EXPECT_NEAR(cpu.averages(0).plane().sxsx[1], gpu.averages(0).plane().sxsx[1], 1e-8);
  }
}

TEST_F(QuantumOnGpu, HasTheRandomStatesOfTheCpu) {
  const SpinModel model = uneven_ring(15, false, false, true);
  std::vector<TypicalAverages> found;
  for (const Device& device : {Device::cpu(4), Device::cuda(0)}) {
    TypicalState state(device, model, {Kind::even}, {0.5, 2}, {.steps = 40});
    while (!state.step()) {
    }
    found.push_back(state.averages()[1]);
  }
  EXPECT_NEAR(found[0].ln_Z, found[1].ln_Z, 1e-9);
  EXPECT_NEAR(found[0].energy, found[1].energy, 1e-9);
  EXPECT_NEAR(found[0].diagonal.m4, found[1].diagonal.m4, 1e-9);
}

}  // namespace larmor::gpu_quantum_tests
