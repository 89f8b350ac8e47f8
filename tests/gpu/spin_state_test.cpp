// Spins that a GPU initialises, compared with those of the CPU. Tables that the GPU computes are
// tested, too.
// Rooms: spins

#include <gtest/gtest.h>

#include <cmath>

#include "larmor/core/error.hpp"
#include "larmor/study/models/spins/system/spin_system.hpp"

namespace larmor::spins::gpu_spin_state_tests {
namespace {

class SpinsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

Device in(Device device, Precision precision) {
  device.precision = precision;
  return device;
}

study::SystemTables tables_of(const std::string& lattice, Index replicas) {
  return study::parse_system("replicas = " + std::to_string(replicas) + "\n[lattice]\n" + lattice +
                                 "\n[[exchange]]\nshell=1\nJ=1\n",
                             "test");
}

constexpr const char* lattices[] = {
    "type='sc'\nsize=[3,5,7]", "type='bcc'\nsize=[4,4,4]",
    "type='square'\nsize=[9,9]\n[[alloy]]\nby='vacancy'\nfraction=0.3"};

TEST_F(SpinsOnGpu, AreThoseOfTheCpuToTheBit) {
  for (const char* lattice : lattices)
    for (const Index replicas : {1, 11})
      for (const Precision precision : {Precision::double_numbers, Precision::single_numbers}) {
        const study::SystemTables tables = tables_of(lattice, replicas);
        study::SpinSystem cpu(tables, in(Device::cpu(1), precision)),
            gpu(tables, in(Device::cuda(0), precision));
        EXPECT_EQ(gpu.state.save(), cpu.state.save());
        cpu.state.randomise(5);
        gpu.state.randomise(5);
        EXPECT_EQ(gpu.state.save(), cpu.state.save());
        for (Index replica = 0; replica < replicas; ++replica)
          EXPECT_TRUE(gpu.state.configuration(replica) == cpu.state.configuration(replica));
        const auto turn = [](Index site) {
          const auto angle = static_cast<double>(site);
          return Vec3<double>{std::cos(angle), std::sin(angle), 0};
        };
        cpu.state.set_by_site(turn);
        gpu.state.set_by_site(turn);
        EXPECT_EQ(gpu.state.save(), cpu.state.save());
        gpu.state.require_finite();
      }
}

TEST_F(SpinsOnGpu, ThatAreNotFiniteAreNamed) {
  study::SpinSystem system(tables_of(lattices[0], 1), Device::cuda(0));
  std::vector<double> numbers = system.state.save();
  numbers[17] = std::nan("");
  system.state.load(numbers);
  const std::string site = std::to_string(system.model.canonical()[17]);
  try {
    system.state.require_finite();
    FAIL() << "nothing was found";
  } catch (const UnphysicalError& error) {
    EXPECT_NE(std::string(error.what()).find("spin " + site + " of replica 0"), std::string::npos)
        << error.what();
  }
}

TEST_F(SpinsOnGpu, HaveTheNeighboursOfTheCpu) {
  for (const char* lattice : lattices) {
    const study::SystemTables tables = tables_of(lattice, 1);
    const study::SpinSystem cpu(tables, Device::cpu(2)), gpu(tables, Device::cuda(0));
    const ModelView a = cpu.model.view(1), b = gpu.model.view(1);
    const auto count = static_cast<std::size_t>(a.layout.padded_sites() * a.bonds_per_site);
    std::vector<std::int32_t> copy(count);
    copy_bytes(Device{}, copy.data(), gpu.device, b.neighbour, count * sizeof(std::int32_t));
    EXPECT_EQ(copy, std::vector<std::int32_t>(a.neighbour, a.neighbour + count)) << lattice;
  }
}

}  // namespace
}  // namespace larmor::spins::gpu_spin_state_tests
