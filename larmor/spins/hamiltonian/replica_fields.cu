#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/spins/hamiltonian/replica_fields.hpp"

namespace larmor::spins {
namespace {

__global__ void write_fields(WriteFields write, Index numbers) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < numbers) write(i);
}

}  // namespace

void write_fields_on_gpu(const Device& device, const WriteFields& write, Index numbers) {
  const cuda::LaunchRegion region(device.ordinal, "fields of replicas");
  cuda::launch(device.ordinal, cuda::shape_of(numbers), write_fields, write, numbers);
}

}  // namespace larmor::spins
