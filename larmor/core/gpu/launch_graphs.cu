#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/gpu/launch_graphs.hpp"

namespace larmor::cuda {
namespace {

__global__ void advance(std::uint64_t* step, std::uint64_t by) { *step += by; }

}  // namespace

void StepCounter::set(std::uint64_t step) {
  if (step == expected_) return;
  expected_ = step;
  check(cudaMemcpyAsync(on_gpu_.data(), &step, sizeof(step), cudaMemcpyHostToDevice,
                        stream(device_.ordinal)),
        "copying to GPU memory");
}

void StepCounter::launch_advance(std::uint64_t by) {
  advance<<<1, 1, 0, stream(device_.ordinal)>>>(on_gpu_.data(), by);
  check(cudaGetLastError(), "starting a kernel");
}

}  // namespace larmor::cuda
