// Pending measurements of a GPU finish in their order and use bounded memory, even if the host is
// slow. Skips without a GPU.
// Rooms: study

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "larmor/core/device/real_array.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/study/measurements/measurement_queue.hpp"

namespace {

using namespace larmor;

struct AddOne {
  VectorView e;
  template <class At>
  LARMOR_INLINE void operator()(const At& at) const {
    using Real = typename At::Real;
    const auto v = e.load(at);
    e.store(at, {v.x + Real(1.0), v.y, v.z});
  }
};

struct SumX {
  VectorView e;
  template <class At>
  LARMOR_INLINE Sums<typename At::Real, 1> operator()(const At& at) const {
    return {{e.load(at).x}};
  }
};

TEST(MeasurementQueueOnGpu, ASlowWriterSlowsTheRunAndBoundsItsMemory) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const Device device = Device::cuda(0);
  const SpinLayout layout{4096, 8};
  RealArray spins(device, layout.numbers());
  const VectorView view(spins.reals(), layout);
  constexpr std::size_t most = 1024;
  study::MeasurementQueue queue(most);
  std::vector<double> seen;
  constexpr int steps = 500;
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < steps; ++n) {
    for_each(device, Extent::all(layout), AddOne{view});
    std::vector<Pending> parts;
    parts.push_back(reduce_async(device, Extent::all(layout), SumX{view}));
    queue.push(std::move(parts), [&](const std::vector<std::vector<double>>& numbers) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      seen.push_back(numbers[0][3]);
    });
    ASSERT_LE(queue.waiting_bytes(), most);
  }
  queue.drain();
  EXPECT_EQ(queue.waiting_bytes(), 0u);
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(steps));
  for (int n = 0; n < steps; ++n) EXPECT_EQ(seen[static_cast<std::size_t>(n)], 4096.0 * (n + 1));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(steps));
}

TEST(MeasurementQueueOnGpu, MeasuringDoesNotWaitForTheGpu) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  const Device device = Device::cuda(0);
  const SpinLayout layout{1 << 20, 64};
  RealArray spins(device, layout.numbers());
  const VectorView view(spins.reals(), layout);
  synchronise(device);
  study::MeasurementQueue queue(std::size_t{1} << 20);
  int finished = 0;
  for (int n = 0; n < 8; ++n) {
    for (int k = 0; k < 5; ++k) for_each(device, Extent::all(layout), AddOne{view});
    std::vector<Pending> parts;
    parts.push_back(reduce_async(device, Extent::all(layout), SumX{view}));
    queue.push(std::move(parts), [&](const std::vector<std::vector<double>>&) { ++finished; });
  }
  // The launches returned long before the end of their work, which takes tens of milliseconds.
  EXPECT_LT(finished, 8);
  queue.drain();
  EXPECT_EQ(finished, 8);
}

}  // namespace
