#pragma once
// Launches of kernels, and the check of each launch.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

/// Most blocks along y that CUDA allows. Kernels loop over further rows.
inline constexpr Index most_grid_rows = 65535;

namespace cuda {

/// Blocks of threads, and the dynamic shared memory of a block.
struct LaunchShape {
  dim3 blocks;
  int threads = 256;
  std::size_t shared_bytes = 0;
};

/// One thread along x for each item, and a row of blocks along y for each replica up to
/// `most_grid_rows`.
inline LaunchShape shape_of(Index items, Index rows = 1, int threads = LaunchShape{}.threads) {
  return {dim3(static_cast<unsigned>((items + threads - 1) / threads),
               static_cast<unsigned>(std::min(rows, most_grid_rows))),
          threads};
}

/// Starts a kernel behind the earlier work of a stream. @throws MachineError
template <class... Parameters>
void launch(CUstream_st* stream, const LaunchShape& shape, void (*kernel)(Parameters...),
            const std::type_identity_t<Parameters>&... arguments) {
  kernel<<<shape.blocks, static_cast<unsigned>(shape.threads), shape.shared_bytes, stream>>>(
      arguments...);
  check(cudaGetLastError(), "starting a kernel");
}

/// Starts a kernel on the stream of this thread.
template <class... Parameters>
void launch(int ordinal, const LaunchShape& shape, void (*kernel)(Parameters...),
            const std::type_identity_t<Parameters>&... arguments) {
  launch(stream(ordinal), shape, kernel, arguments...);
}

}  // namespace cuda
}  // namespace larmor
