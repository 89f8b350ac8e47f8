#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/correlations/pairs/operands/matrix_slice.hpp"

namespace larmor::correlations::real_space {
namespace {

constexpr int slice_threads = 256;
constexpr Index most_blocks = 4096;

__global__ void slice_kernel(const double* matrix, Index sites, Index numbers, MatrixSlice slice,
                             Index width, double* to) {
  const Index all = sites * width, step = static_cast<Index>(gridDim.x) * slice_threads;
  for (Index i = static_cast<Index>(blockIdx.x) * slice_threads + threadIdx.x; i < all; i += step)
    to[i] = detail::number_of_slice(matrix, numbers, slice, i / width, i % width);
}

}  // namespace

void detail::take_slice_on_gpu(const Device& device, const double* matrix, Index sites,
                               Index numbers, const MatrixSlice& slice, Index width, double* to) {
  const Index wanted = (sites * width + slice_threads - 1) / slice_threads;
  const auto blocks = static_cast<unsigned>(std::clamp<Index>(wanted, 1, most_blocks));
  const cuda::LaunchRegion region(device.ordinal, "spins as a matrix");
  slice_kernel<<<blocks, slice_threads, 0, cuda::stream(device.ordinal)>>>(matrix, sites, numbers,
                                                                           slice, width, to);
  cuda::check(cudaGetLastError(), "taking a part of the spins");
}

}  // namespace larmor::correlations::real_space
