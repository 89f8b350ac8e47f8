#pragma once
// Sums over pairs of parts of the replicas, for a jackknife over blocks of them: the sum P over
// all, and P_b of block b alone, give what is left without it (real_space_structure_factor.hpp).

#include <vector>

#include "larmor/correlations/pairs/operands/matrix_slice.hpp"

namespace larmor::correlations::real_space {

/// BITS: replicas in so many blocks, as equal as they can be.
struct JackknifeBlocks {
  Index replicas = 1, blocks = 0;  ///< 0: no errors, one sum over all
  bool connected = false;

  /// As many blocks as are asked for, or more, so that each leaves as many as make a correlation.
  static JackknifeBlocks of(Index asked, Index replicas, bool connected);

  /// The numbers of each block in a matrix of spins; of all replicas where there are none.
  /// @param components slices of x, y and z, block by block
  std::vector<MatrixSlice> slices(bool components = false) const;
  /// P less this times P_b is the sum over pairs without block b.
  double weight_of_block(Index block) const;
  Index count(Index block) const {
    return (block + 1) * replicas / blocks - block * replicas / blocks;
  }
};

/// Numbers of the largest.
Index width_of(const std::vector<MatrixSlice>& slices);

}  // namespace larmor::correlations::real_space
