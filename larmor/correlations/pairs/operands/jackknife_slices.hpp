#pragma once
// Slices of the replicas for a jackknife over blocks of replicas. The sum P over all pairs, and P_b
// of block b, give the sum without block b (real_space_structure_factor.hpp).

#include <vector>

#include "larmor/correlations/pairs/operands/matrix_slice.hpp"

namespace larmor::correlations::real_space {

/// BITS: blocks of replicas, of sizes as equal as possible.
struct JackknifeBlocks {
  Index replicas = 1, blocks = 0;  ///< 0 blocks: no errors, one sum over all
  bool connected = false;

  /// At least `asked` blocks, so many that without one block enough replicas for a correlation
  /// remain.
  static JackknifeBlocks of(Index asked, Index replicas, bool connected);

  /// The numbers of each block in a matrix of spins; without blocks, of all replicas.
  /// @param components one slice per component x, y and z, block by block
  std::vector<MatrixSlice> slices(bool components = false) const;
  /// P minus this weight times P_b is the sum over pairs without block b.
  double weight_of_block(Index block) const;
  Index count(Index block) const {
    return (block + 1) * replicas / blocks - block * replicas / blocks;
  }
};

/// Numbers in the largest slice.
Index width_of(const std::vector<MatrixSlice>& slices);

}  // namespace larmor::correlations::real_space
