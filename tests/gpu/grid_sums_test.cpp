// Sums over planes and along axes on a GPU equal those of a CPU, bit for bit. Skips without a GPU.
// Rooms: ising

#include "larmor/ising/measures/grid_sums.hpp"

#include <gtest/gtest.h>

namespace larmor::gpu_grid_sums_tests {

using namespace larmor::ising;

class GridSumsOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

std::vector<std::uint8_t> states_of(Index count, int states) {
  std::vector<std::uint8_t> all;
  const RandomKey key{3, 0, Stream::initial_configuration};
  for (Index n = 0; n < count; ++n)
    all.push_back(static_cast<std::uint8_t>(
        philox(key, static_cast<std::uint64_t>(n), std::uint64_t{0}).w[0] %
        static_cast<std::uint64_t>(states)));
  return all;
}

TEST_F(GridSumsOnGpu, AreThoseOfACpu) {
  for (const int states : {2, 5})
    for (const std::vector<Index>& lengths :
         {std::vector<Index>{70}, {300, 170}, {40, 30, 20}, {9, 8, 7, 6}}) {
      Index sites = 1;
      for (const Index length : lengths) sites *= length;
      constexpr Index replicas = 3;
      std::vector<bool> periodic(lengths.size(), true);
      periodic.back() = false;
      const std::vector<Index> distances(lengths.size(), 6);
      const std::vector<std::uint8_t> all = states_of(replicas * sites, states);
      const auto found = [&](const Device& device) {
        const GridSums sums(device, lengths, periodic, distances, states, replicas);
        const GridSums whole = GridSums::of_all_sites(device, sites, states, replicas);
        const Array<std::uint8_t> on_device(device, all);
        return std::tuple(sums.planes(on_device).take(), sums.equal_pairs(on_device).take(),
                          whole.planes(on_device).take());
      };
      EXPECT_EQ(found(Device::cuda()), found(Device::cpu(2))) << lengths.size() << ", " << states;
    }
}

TEST_F(GridSumsOnGpu, StatesOfBitsAndPositionsAreThoseOfTheSites) {
  for (const Device& device : {Device::cpu(2), Device::cuda()}) {
    BitLattice bits({{128, 5, 4}, {true, false, true}}, {}, ReplicaShare(3), 1, device);
    bits.randomise(4);
    Array<std::uint8_t> states(device, 3 * bits.sites());
    write_site_states(bits, states);
    const std::vector<std::uint8_t> found = states.to_host();
    for (Index replica = 0; replica < 3; ++replica) {
      const std::vector<std::int8_t> spins = bits.spins(replica);
      for (Index site = 0; site < bits.sites(); ++site)
        ASSERT_EQ(found[static_cast<std::size_t>(replica * bits.sites() + site)],
                  spins[static_cast<std::size_t>(site)] < 0 ? 1 : 0)
            << site;
    }
    PottsDefinition definition;
    definition.sites = 50;
    definition.states = 4;
    for (Index i = 0; i + 1 < 50; ++i) definition.bonds.push_back({i, i + 1, 1});
    const PottsModel model(device, definition, ReplicaShare(2));
    PottsState potts(model, UpdateCounter());
    potts.randomise(3);
    Array<std::uint8_t> of_potts(device, 100);
    write_site_states(potts, of_potts);
    EXPECT_EQ(of_potts.to_host(), potts.canonical(2));
  }
}

}  // namespace larmor::gpu_grid_sums_tests
