// Enumeration of states on a GPU gives the bits of the CPU.
// Rooms: ground_states

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "larmor/core/device/device.hpp"
#include "larmor/ground_states/enumeration.hpp"

namespace larmor::gpu_ground_states_tests {

using namespace larmor::ground_states;

QuadraticProblem drawn(Index size, bool whole, bool fields) {
  std::mt19937_64 random(static_cast<std::uint64_t>(size));
  const auto number = [&] {
    const double x = static_cast<double>(random() >> 11U) / 9007199254740992.0 - 0.5;
    return whole ? std::nearbyint(6 * x) : x;
  };
  QuadraticProblem problem;
  for (Index i = 0; i < size; ++i) problem.linear.push_back(fields ? number() : 0);
  for (std::int32_t i = 0; i < size; ++i)
    for (std::int32_t j = i + 1; j < size; ++j) problem.couplings.push_back({i, j, number()});
  return problem;
}

bool never_ends(double) { return true; }

class EnumerationOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (first_usable_gpu() < 0) GTEST_SKIP() << "no GPU here";
  }
};

TEST_F(EnumerationOnGpu, HasTheBitsOfTheCpu) {
  for (const Index size : {11, 12, 15, 22, 26})
    for (const bool whole : {true, false})
      for (const bool fields : {true, false}) {
        const QuadraticProblem problem = drawn(size, whole, fields);
        const auto cpu = enumerate(problem, Device::cpu(), never_ends);
        const auto gpu = enumerate(problem, Device::cuda(), never_ends);
        EXPECT_EQ(gpu->value, cpu->value) << size;
        EXPECT_EQ(gpu->gap, cpu->gap) << size;
        EXPECT_EQ(gpu->degeneracy, cpu->degeneracy) << size;
        EXPECT_EQ(gpu->state, cpu->state) << size;
      }
}

TEST_F(EnumerationOnGpu, SeveralLaunchesFindAKnownGroundState) {
  // A ring of 40 bonds. All are ferromagnetic, except for a weaker antiferromagnetic bond. A ground
  // state breaks the weaker bond. A field on spin 0 distinguishes the two mirror images.
  QuadraticProblem ring;
  ring.linear.assign(40, 0);
  ring.linear[0] = 1;
  for (std::int32_t i = 0; i < 40; ++i)
    ring.couplings.push_back({i, (i + 1) % 40, i == 17 ? 2.0 : -3.0});
  const auto found = enumerate(ring, Device::cuda(), never_ends);
  EXPECT_EQ(found->value, -39 * 3 + 2 - 1);
  EXPECT_EQ(found->degeneracy, NaturalNumber(1));
  EXPECT_EQ(found->gap, 2);
  EXPECT_EQ(found->state, State(40, -1));
}

}  // namespace larmor::gpu_ground_states_tests
