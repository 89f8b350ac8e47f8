#pragma once
// Kernels that start while their predecessors end. The early start saves three microseconds between
// two kernels.

#include <cuda_runtime.h>

#include <cstddef>
#include <type_traits>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/jit_module.hpp"

namespace larmor::cuda {

/// Waits until all earlier launches are done. Every thread of a kernel of `launch_early` must call
/// this before the thread reads memory that earlier kernels write. This also holds before the
/// thread writes memory that earlier kernels read or write.
__device__ inline void wait_for_predecessor() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// For short kernels: lets the next kernel start once all blocks of this one have begun.
__device__ inline void let_successor_begin() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

__device__ inline void let_successor_begin_and_wait() {
  let_successor_begin();
  wait_for_predecessor();
}

/// Launches a kernel that may begin before its predecessor has ended. This needs a GPU and kernel
/// code of compute capability 9.0 or later.
/// @param stream a stream of the GPU @throws MachineError
template <class... Parameters>
void launch_early(int ordinal, CUstream_st* stream, void (*kernel)(Parameters...), dim3 blocks,
                  int threads, std::size_t shared_bytes,
                  const std::type_identity_t<Parameters>&... arguments) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = code_architecture(ordinal) >= 90 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "starting a kernel");
}

/// launch_early on the GPU's own stream.
template <class... Parameters>
void launch_early(int ordinal, void (*kernel)(Parameters...), dim3 blocks, int threads,
                  std::size_t shared_bytes, const std::type_identity_t<Parameters>&... arguments) {
  launch_early(ordinal, stream(ordinal), kernel, blocks, threads, shared_bytes, arguments...);
}

}  // namespace larmor::cuda
