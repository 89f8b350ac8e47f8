// Energies, forces, virials and bispectrum components of a GPU equal those of LAMMPS. Skips without
// a GPU or a reference.
// Rooms: atoms

#include "tests/physics/snap_golden.hpp"

namespace larmor::gpu_snap_golden_tests {
namespace {

using namespace testing_support;

class SnapGoldenOnGpu : public testing::TestWithParam<Named<GoldenCase>> {};

TEST_P(SnapGoldenOnGpu, IsMatched) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  expect_evaluated(GetParam().value, Device::cuda(0));
}

INSTANTIATE_TEST_SUITE_P(Cases, SnapGoldenOnGpu, testing::ValuesIn(golden_cases), by_name);

}  // namespace
}  // namespace larmor::gpu_snap_golden_tests
