// Bit-sliced Ising spins on a GPU equal those of the CPU, bit for bit. Skips without a GPU.
// Rooms: ising

#include "larmor/ising/multispin/grid/bit_lattice.hpp"

#include <gtest/gtest.h>

#include "tests/named.hpp"

namespace larmor::gpu_bit_lattice_tests {

using namespace larmor::ising;

using Case = testing_support::Named<GridShape>;

class BitLatticeOnGpu : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

struct Outcome {
  std::vector<std::uint64_t> packed;
  std::vector<std::int64_t> bonds, spins;
};

Outcome outcome(const GridShape& shape, const Couplings& couplings, Rule rule,
                const Device& device) {
  BitLattice lattice(shape, couplings, {1, 3, 5}, 20, device, rule);
  lattice.randomise(11);
  lattice.set_temperatures({0.5, 2.3, 6.0});
  UpdateCounter steps;
  // In half-sweeps of windows, the first and the last block are shorter than all other blocks.
  lattice.sweep(1, steps);
  lattice.sweep(3, steps);
  lattice.sweep(18, steps);
  const BitLattice::Sums sums = lattice.sums();
  return {lattice.packed(), sums.bonds, sums.spins};
}

TEST_P(BitLatticeOnGpu, HasTheBitsOfTheCpu) {
  const GridShape& shape = GetParam().value;
  const Couplings uniform{1, false, 0, {}}, negative{-0.7, false, 0, {}},
      glass{1, true, 3, {9, 9, 4, 9, 1ull << 20}};
  for (const Couplings& couplings : {uniform, negative, glass})
    for (const Rule rule : {Rule::metropolis, Rule::heat_bath, Rule::glauber}) {
      SCOPED_TRACE("J " + std::to_string(couplings.J) + ", rule " +
                   std::to_string(static_cast<int>(rule)));
      const Outcome cpu = outcome(shape, couplings, rule, Device::cpu(2)),
                    gpu = outcome(shape, couplings, rule, Device::cuda(0));
      ASSERT_EQ(gpu.packed, cpu.packed);
      EXPECT_EQ(gpu.bonds, cpu.bonds);
      EXPECT_EQ(gpu.spins, cpu.spins);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Grids, BitLatticeOnGpu,
    testing::Values(
        Case{"ring_64", {{64}, {}}}, Case{"chain_1088", {{1088}, {false}}},
        Case{"torus_64_64", {{64, 64}, {}}}, Case{"torus_192_6", {{192, 6}, {}}},
        Case{"torus_2048_512", {{2048, 512}, {}}}, Case{"torus_2048_2048", {{2048, 2048}, {}}},
        Case{"torus_320_600", {{320, 600}, {}}},
        Case{"sheet_576_301", {{576, 301}, {false, false}}},
        Case{"sheet_64_5", {{64, 5}, {false, false}}},
        Case{"tube_320_6", {{320, 6}, {false, true}}}, Case{"bulk_64_4_6", {{64, 4, 6}, {}}},
        Case{"bulk_256_128_64", {{256, 128, 64}, {}}},
        Case{"bulk_128_128_20", {{128, 128, 20}, {}}},
        Case{"bulk_64_128_65", {{64, 128, 65}, {true, true, false}}},
        Case{"ring_262144", {{262144}, {}}}, Case{"four_axes_64_8_8_64", {{64, 8, 8, 64}, {}}},
        Case{"block_1024_2_3", {{1024, 2, 3}, {false, true, false}}},
        Case{"four_axes_64_2_4_2", {{64, 2, 4, 2}, {}}},
        Case{"four_axes_open", {{64, 3, 1, 2}, {false, false, false, true}}}),
    testing_support::by_name);

TEST_F(BitLatticeOnGpu, ManyReplicasAreAllUpdated) {
  const GridShape shape{{64, 2}, {}};
  constexpr Index replicas = 70000;  // more replicas than a grid has rows of thread blocks
  const auto packed = [&](const Device& device) {
    BitLattice lattice(shape, {}, replicas, 5, device);
    lattice.randomise(1);
    lattice.set_temperatures({2.0});
    UpdateCounter steps;
    lattice.sweep(2, steps);
    return lattice.packed();
  };
  EXPECT_EQ(packed(Device::cuda(0)), packed(Device::cpu(2)));
}

}  // namespace larmor::gpu_bit_lattice_tests
