// Several GPUs have a share of the replicas each. The shares give the bits of one GPU, by kernels
// that read tables and by JIT kernels.
// Rooms: spins

#include <cstdlib>

#include "tests/replica_share_support.hpp"

namespace larmor::spins::gpu_replica_share_tests {
namespace {

TEST(ReplicaShareOnGpu, GoesTheWayOfAll) {
  if (list_gpus().empty()) GTEST_SKIP() << "no GPU here";
  for (const char* kernels : {"never", "always"}) {
    setenv("LARMOR_JIT", kernels, 1);
    for (const Precision precision :
         {Precision::double_numbers, Precision::single_numbers, Precision::mixed_numbers}) {
      Device device = Device::cuda(0);
      device.precision = precision;
      for (const char* system : systems_of_shares) expect_shares_are_alike(system, device);
    }
  }
  unsetenv("LARMOR_JIT");
}

}  // namespace
}  // namespace larmor::spins::gpu_replica_share_tests
