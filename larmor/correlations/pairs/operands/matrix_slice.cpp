#include "larmor/correlations/pairs/operands/matrix_slice.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"

namespace larmor::correlations::real_space {

void take_slice(const Device& device, const double* matrix, Index sites, Index numbers,
                const MatrixSlice& slice, Index width, double* to) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return detail::take_slice_on_gpu(device, matrix, sites, numbers, slice, width, to);
#endif
  constexpr Index sites_of_task = 256;
  parallel_for(device.threads, (sites + sites_of_task - 1) / sites_of_task, [&](Index task) {
    const Index last = std::min(sites, (task + 1) * sites_of_task);
    for (Index site = task * sites_of_task; site < last; ++site)
      for (Index n = 0; n < width; ++n)
        to[site * width + n] = detail::number_of_slice(matrix, numbers, slice, site, n);
  });
}

}  // namespace larmor::correlations::real_space
