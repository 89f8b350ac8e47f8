#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/spins/hamiltonian/replica_fields.hpp"

namespace larmor::spins {
namespace {

constexpr Index threads_of_block = 256;

__global__ void write_fields(WriteFields write, Index numbers) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < numbers) write(i);
}

}  // namespace

void write_fields_on_gpu(const Device& device, const WriteFields& write, Index numbers) {
  const cuda::LaunchRegion region(device.ordinal, "fields of replicas");
  const auto blocks = static_cast<unsigned>((numbers + threads_of_block - 1) / threads_of_block);
  write_fields<<<blocks, threads_of_block, 0, cuda::stream(device.ordinal)>>>(write, numbers);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

}  // namespace larmor::spins
