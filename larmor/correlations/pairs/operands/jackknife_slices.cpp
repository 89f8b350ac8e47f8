#include "larmor/correlations/pairs/operands/jackknife_slices.hpp"

#include <algorithm>

#include "larmor/core/statistics/block_jackknife.hpp"

namespace larmor::correlations::real_space {

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
