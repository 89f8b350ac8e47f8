// Copies of replicas on a GPU agree with those of the CPU, for numbers of every size, contiguous or
// not. Skips without a GPU.
// Rooms: core

#include "larmor/core/device/replica_copies.hpp"

#include <gtest/gtest.h>

#include "larmor/core/device/array.hpp"
#include "tests/named.hpp"

namespace larmor::gpu_replica_copies_tests {

using testing_support::Named;

constexpr Index replicas = 48;

std::vector<ReplicaCopy> some_copies() {
  std::vector<Index> source(replicas);
  for (Index r = 0; r < replicas; ++r)
    source[static_cast<std::size_t>(r)] = r % 3 == 0 ? r : r / 6 * 6;
  return copies_of(source);
}

template <class T>
std::vector<T> copied_on(const Device& device, const ReplicaRows& rows) {
  std::vector<T> numbers;
  for (Index n = 0; n < replicas * rows.numbers; ++n)
    numbers.push_back(static_cast<T>(7 * n + n / 251));
  Array<T> array(device, numbers);
  copy_replicas(device, array.data(), rows, some_copies());
  return array.to_host();
}

class ReplicaCopiesOnGpu : public testing::TestWithParam<Named<ReplicaRows>> {
 protected:
  void SetUp() override {
    if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  }
  template <class T>
  void expect_same() const {
    const ReplicaRows rows = GetParam().value;
    EXPECT_EQ(copied_on<T>(Device::cuda(0), rows), copied_on<T>(Device::cpu(2), rows));
  }
};

TEST_P(ReplicaCopiesOnGpu, AreThoseOfTheCpu) {
  expect_same<double>();
  expect_same<float>();
  if (GetParam().value.side_by_side > 1) return;
  expect_same<std::uint8_t>();
}

INSTANTIATE_TEST_SUITE_P(Rows, ReplicaCopiesOnGpu,
                         testing::Values(Named<ReplicaRows>{"one_number", {1}},
                                         Named<ReplicaRows>{"odd", {37}},
                                         Named<ReplicaRows>{"words", {1 << 12}},
                                         Named<ReplicaRows>{"many", {(1 << 16) + 4}},
                                         Named<ReplicaRows>{"side_by_side", {3 * 40, 8}},
                                         Named<ReplicaRows>{"many_side_by_side", {3 << 14, 8}}),
                         testing_support::by_name);

}  // namespace larmor::gpu_replica_copies_tests
