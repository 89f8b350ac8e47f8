#include "larmor/correlations/pairs/operands/matrix_columns.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/statistics/replicas.hpp"

namespace larmor::correlations::real_space {

void copy_columns(const Device& device, const double* matrix, Index sites, Index numbers,
                  const MatrixColumns& columns, Index width, double* to) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return detail::copy_columns_on_gpu(device, matrix, sites, numbers, columns, width, to);
#endif
  constexpr Index sites_of_task = 256;
  parallel_for(device.threads, (sites + sites_of_task - 1) / sites_of_task, [&](Index task) {
    const Index last = std::min(sites, (task + 1) * sites_of_task);
    for (Index site = task * sites_of_task; site < last; ++site)
      for (Index n = 0; n < width; ++n)
        to[site * width + n] = detail::number_of_columns(matrix, numbers, columns, site, n);
  });
}

JackknifeBlocks JackknifeBlocks::of(Index asked, Index replicas, bool connected) {
  return {replicas, jackknife_blocks(asked, replicas, connected ? 2 : 1), connected};
}

std::vector<MatrixColumns> JackknifeBlocks::column_blocks(bool components) const {
  const Index block_count = std::max<Index>(1, blocks);
  std::vector<MatrixColumns> column_blocks;
  for (Index b = 0; b < block_count; ++b) {
    const Index first = b * replicas / block_count, own = (b + 1) * replicas / block_count - first;
    if (!components) column_blocks.push_back({3 * first, 1, 3 * own});
    for (Index a = 0; components && a < 3; ++a) column_blocks.push_back({3 * first + a, 3, own});
  }
  return column_blocks;
}

double JackknifeBlocks::weight_of_block(Index block) const {
  return connected ? 1 + 1 / static_cast<double>(replicas - count(block)) : 1;
}

Index width_of(const std::vector<MatrixColumns>& column_blocks) {
  Index width = 0;
  for (const MatrixColumns& columns : column_blocks) width = std::max(width, columns.count);
  return width;
}

}  // namespace larmor::correlations::real_space
