#include "larmor/correlations/pairs/operands/matrix_slice.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/statistics/replicas.hpp"

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

JackknifeBlocks JackknifeBlocks::of(Index asked, Index replicas, bool connected) {
  return {replicas, jackknife_blocks(asked, replicas, connected ? 2 : 1), connected};
}

std::vector<MatrixSlice> JackknifeBlocks::slices(bool components) const {
  const Index parts = std::max<Index>(1, blocks);
  std::vector<MatrixSlice> slices;
  for (Index b = 0; b < parts; ++b) {
    const Index first = b * replicas / parts, own = (b + 1) * replicas / parts - first;
    if (!components) slices.push_back({3 * first, 1, 3 * own});
    for (Index a = 0; components && a < 3; ++a) slices.push_back({3 * first + a, 3, own});
  }
  return slices;
}

double JackknifeBlocks::weight_of_block(Index block) const {
  return connected ? 1 + 1 / static_cast<double>(replicas - count(block)) : 1;
}

Index width_of(const std::vector<MatrixSlice>& slices) {
  Index width = 0;
  for (const MatrixSlice& slice : slices) width = std::max(width, slice.count);
  return width;
}

}  // namespace larmor::correlations::real_space
