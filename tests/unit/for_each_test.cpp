// Rooms: core
#include "larmor/core/simd/for_each.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "larmor/core/device/array.hpp"
#include "larmor/core/error.hpp"

namespace {

using namespace larmor;

/// Converts whole numbers below 2^23, either one number or a pack of eight.
template <class Real, class Words>
Real number(const Words& n) {
  using Bits = typename LaneTypes<Real>::Bits;
  if constexpr (is_double<Real>) {
    return from_bits(n | Bits(0x4330000000000000ull)) - Real(4503599627370496.0);
  } else {
    return from_bits(low_word(n) | Bits(0x4b000000u)) - Real(8388608.0f);
  }
}

/// Writes the vector (site, replica, 1), for any slot.
struct WriteIndices {
  VectorView e;
  const std::int32_t* canonical;

  template <class At>
  void operator()(const At& at) const {
    using Real = typename At::Real;
    const auto site = canonical_sites(at, canonical);
    const auto replica = replica_indices(at);
    e.store(at, {number<Real>(site), number<Real>(replica), Real(1.0)});
  }
};

struct SumAll {
  VectorView e;
  template <class At>
  Sums<typename At::Real, 3> operator()(const At& at) const {
    const auto v = e.load(at);
    return {{v.x, v.y, v.z}};
  }
};

class ForEach : public testing::TestWithParam<std::pair<Index, Index>> {};

TEST_P(ForEach, VisitsEverySiteAndReplicaOnceAndSumsThem) {
  const auto [sites, replicas] = GetParam();
  const SpinLayout layout{sites, replicas};
  const Device device = Device::cpu(2);
  Array<double> e(device, layout.numbers());
  std::vector<std::int32_t> canonical(static_cast<std::size_t>(layout.padded_sites()));
  std::iota(canonical.begin(), canonical.end(), 0);
  const VectorView view(e.data(), layout);
  for_each(device, Extent::all(layout), WriteIndices{view, canonical.data()});
  for (Index r = 0; r < replicas; ++r) {
    for (Index s = 0; s < sites; ++s) {
      const Vec3<double> v = view.load(ScalarSlot<>{s, r});
      ASSERT_EQ(v, (Vec3<double>{double(s), double(r), 1.0}));
    }
  }
  const std::vector<double> sums = reduce(device, Extent::all(layout), SumAll{view});
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  for (std::size_t r = 0; r < static_cast<std::size_t>(replicas); ++r) {
    EXPECT_EQ(sums[r], double(sites * (sites - 1) / 2));
    EXPECT_EQ(sums[padded + r], double(sites) * double(r));
    EXPECT_EQ(sums[2 * padded + r], double(sites));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ForEach,
    testing::Values(std::pair<Index, Index>{1, 1}, std::pair<Index, Index>{7, 1},
                    std::pair<Index, Index>{8, 1}, std::pair<Index, Index>{1003, 1},
                    std::pair<Index, Index>{1, 2}, std::pair<Index, Index>{65, 8},
                    std::pair<Index, Index>{129, 9}));

TEST(ForEachPart, TouchesOnlyTheRangeAskedFor) {
  for (const Index replicas : {Index{1}, Index{9}}) {
    const SpinLayout layout{30, replicas};
    const Device device = Device::cpu(1);
    Array<double> e(device, layout.numbers());
    std::vector<std::int32_t> canonical(static_cast<std::size_t>(layout.padded_sites()));
    std::iota(canonical.begin(), canonical.end(), 0);
    const VectorView view(e.data(), layout);
    const Extent part{layout, 5, 21, 0, 1};
    for_each(device, part, WriteIndices{view, canonical.data()});
    for (Index s = 0; s < layout.sites; ++s)
      EXPECT_EQ(view.load(ScalarSlot<>{s, 0}).z, s >= 5 && s < 21 ? 1.0 : 0.0) << s;
    if (replicas > 8) {
      EXPECT_EQ(view.load(ScalarSlot<>{6, 8}).z, 0.0);
    }
    EXPECT_EQ(reduce(device, part, SumAll{view})[0], (5 + 20) * 16 / 2.0);
  }
}

/// The sums of these numbers depend on the order of addition.
TEST(Reduce, SameBitsForAnyNumberOfThreads) {
  for (const Index replicas : {Index{1}, Index{11}}) {
    const SpinLayout layout{5000, replicas};
    Array<double> e(Device::cpu(1), layout.numbers());
    for (Index i = 0; i < e.size(); ++i) e.data()[i] = 1.0 / static_cast<double>(3 + i % 977);
    const SumAll sum{VectorView(e.data(), layout)};
    const auto one = reduce(Device::cpu(1), Extent::all(layout), sum);
    EXPECT_EQ(one, reduce(Device::cpu(2), Extent::all(layout), sum));
    EXPECT_EQ(one, reduce(Device::cpu(7), Extent::all(layout), sum));
  }
}

TEST(Array, CopiesThereAndBackAndStartsAsZero) {
  Array<double> a(Device::cpu(1), 5);
  EXPECT_EQ(a.to_host(), std::vector<double>(5, 0.0));
  const std::vector<double> values{1, 2, 3, 4, 5};
  a.copy_from(values);
  Array<double> b = std::move(a);
  EXPECT_EQ(b.to_host(), values);
}

TEST(Array, SaysHowMuchMemoryCouldNotBeHad) {
  try {
    Array<double> a(Device::cpu(1), Index{1} << 58);
    FAIL() << "an exabyte was allocated";
  } catch (const MachineError& error) {
    EXPECT_NE(std::string(error.what()).find("2.0 EiB"), std::string::npos);
  }
}

}  // namespace
