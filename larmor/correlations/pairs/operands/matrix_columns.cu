#include <algorithm>

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/correlations/pairs/operands/matrix_columns.hpp"

namespace larmor::correlations::real_space {
namespace {

constexpr int columns_threads = 256;
constexpr Index most_blocks = 4096;

__global__ void columns_kernel(const double* matrix, Index sites, Index numbers,
                               MatrixColumns columns, Index width, double* to) {
  const Index all = sites * width, step = static_cast<Index>(gridDim.x) * columns_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * columns_threads + threadIdx.x; i < all; i += step)
    to[i] = detail::number_of_columns(matrix, numbers, columns, i / width, i % width);
}

}  // namespace

void detail::copy_columns_on_gpu(const Device& device, const double* matrix, Index sites,
                                 Index numbers, const MatrixColumns& columns, Index width,
                                 double* to) {
  const Index wanted = (sites * width + columns_threads - 1) / columns_threads;
  const auto blocks = static_cast<unsigned>(std::clamp<Index>(wanted, 1, most_blocks));
  const cuda::LaunchRegion region(device.ordinal, "spins as a matrix");
  cuda::launch(device.ordinal, {dim3(blocks), columns_threads}, columns_kernel, matrix, sites,
               numbers, columns, width, to);
}

}  // namespace larmor::correlations::real_space
