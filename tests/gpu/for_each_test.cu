// for_each and reduce give equal bits on GPU and CPU, if the operations are exact. Skips without a
// GPU.
// Rooms: core

#include <gtest/gtest.h>

#include <numeric>

#include "larmor/core/device/array.hpp"
#include "larmor/core/maths/math.hpp"
#include "larmor/core/maths/philox.hpp"
#include "larmor/core/simd/for_each.hpp"

namespace {

using namespace larmor;

/// Sets each vector to a random vector, with the random key of a sampler.
struct Randomise {
  VectorView e;
  const std::int32_t* canonical;
  RandomKey key;

  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const auto w = philox(key, canonical_sites(at, canonical), replica_indices(at));
    e.store(at,
            {uniform_32<Real>(w.w[0]), uniform_52<Real>(w.w[1], w.w[2]), uniform_32<Real>(w.w[3])});
  }
};

/// Sums of x and of z, which are exact for small integers.
struct SumComponents {
  VectorView e;

  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 2> operator()(const At& at) const {
    const auto v = e.load(at);
    return {{v.x, v.z}};
  }
};

/// Sums of x and of z in reverse order, with another number of registers than SumComponents.
struct SumBackwards : SumComponents {
  static constexpr bool backwards = true;
  static constexpr int resident_blocks = 3;
};

class OnGpu : public testing::TestWithParam<std::pair<Index, Index>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
};

TEST_P(OnGpu, RandomNumbersAndSumsAreTheCpusBitForBit) {
  const auto [sites, replicas] = GetParam();
  const SpinLayout layout{sites, replicas};
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(layout.padded_sites()));
  std::iota(canonical.begin(), canonical.end(), 0);
  std::vector<std::vector<double>> states, sums;
  for (const Device& device : {Device::cpu(2), Device::cuda(0)}) {
    Array<double> e(device, layout.numbers());
    Array<std::int32_t> sites_on_device(device, canonical);
    const VectorView view(e.data(), layout);
    const RandomKey key{42, 7, Stream::metropolis};
    const Extent extent = Extent::all(layout);
    for_each(device, extent, Randomise{view, sites_on_device.data(), key});
    states.push_back(e.to_host());
    sums.push_back(reduce(device, extent, SumComponents{view}));
  }
  EXPECT_EQ(states[0], states[1]);
  EXPECT_EQ(sums[0], sums[1]);
}

TEST_P(OnGpu, SumsHaveTheSameBitsInEitherOrder) {
  const auto [sites, replicas] = GetParam();
  const SpinLayout layout{sites, replicas};
  const Device device = Device::cuda(0);
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(layout.padded_sites()));
  std::iota(canonical.begin(), canonical.end(), 0);
  const Array<std::int32_t> sites_on_device(device, canonical);
  Array<double> e(device, layout.numbers());
  const VectorView view(e.data(), layout);
  for_each(device, Extent::all(layout),
           Randomise{view, sites_on_device.data(), {42, 7, Stream::metropolis}});
  std::vector<Extent> extents(1, Extent::all(layout));
  if (layout.blocks() > 1) {
    extents.push_back(extents[0]);
    extents[1].first_block = 1;
  }
  for (const Extent& extent : extents) {
    // Sums overwrite previous values, even if the extent has no replicas.
    const std::vector<double> before(static_cast<std::size_t>(2 * layout.padded_replicas()), 9.0);
    Array<double> forwards(device, before), backwards(device, before);
    reduce_into(device, extent, SumComponents{view}, forwards.data());
    reduce_into(device, extent, SumBackwards{{view}}, backwards.data());
    const std::vector<double> sums = forwards.to_host();
    EXPECT_EQ(sums, backwards.to_host());
    EXPECT_EQ(sums, reduce(device, extent, SumComponents{view}));
    if (extent.first_block > 0) {
      EXPECT_EQ(sums[0], 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, OnGpu,
    testing::Values(std::pair<Index, Index>{1, 1}, std::pair<Index, Index>{31, 1},
                    std::pair<Index, Index>{1025, 1}, std::pair<Index, Index>{1, 2},
                    std::pair<Index, Index>{63, 9}, std::pair<Index, Index>{4097, 50}));

}  // namespace
