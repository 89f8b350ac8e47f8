// Compiled without fused multiplication: what the CPU decides, a GPU decides.

#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/tempering/exchange_kernel.hpp"

namespace larmor::tempering {
namespace {

constexpr Index block_threads = 128;

__global__ void exchange_places(ExchangePass pass) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < pass.places()) ExchangePlace{pass}(i);
}

}  // namespace

void exchange_on_gpu(const Device& device, const ExchangePass& pass) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of replicas");
  const auto blocks = static_cast<unsigned>((pass.places() + block_threads - 1) / block_threads);
  exchange_places<<<blocks, block_threads, 0, cuda::stream(device.ordinal)>>>(pass);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

}  // namespace larmor::tempering
