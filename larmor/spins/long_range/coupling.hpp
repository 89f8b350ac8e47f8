#pragma once
// A pair interaction of any range on a lattice, before it is prepared for a device.

#include <array>
#include <functional>

#include "larmor/lattice/geometry.hpp"

namespace larmor::spins {

/// H = - 1/2 sum_ij w_i w_j e_i^T T_ij e_j, i = j included.
struct LongRangeCoupling {
  /// T from basis atom `from` to basis atom `to` of the cell at an offset. T is symmetric, depends
  /// only on the connecting vector, and is equal for the reversed vector. If `from` and `to` are
  /// equal, T is equal for all atoms. The function must be thread-safe.
  std::function<Mat3<double>(int from, int to, const std::array<Index, 3>& offset)> tensor;
  std::function<double(Index site)> weight;  ///< w of canonical sites
};

}  // namespace larmor::spins
