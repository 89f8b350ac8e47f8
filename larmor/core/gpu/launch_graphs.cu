#include <cuda_runtime.h>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/launch_graphs.hpp"

namespace larmor::cuda {
namespace {

__global__ void advance(std::uint64_t* step, std::uint64_t steps) { *step += steps; }

}  // namespace

void StepCounter::set(std::uint64_t step) {
  if (step == expected_) return;
  expected_ = step;
  check(cudaMemcpyAsync(on_gpu_.data(), &step, sizeof(step), cudaMemcpyHostToDevice,
                        stream(device_.ordinal)),
        "copying to GPU memory");
}

void StepCounter::launch_advance(std::uint64_t steps) {
  launch(device_.ordinal, {dim3(1), 1}, advance, on_gpu_.data(), steps);
}

}  // namespace larmor::cuda
