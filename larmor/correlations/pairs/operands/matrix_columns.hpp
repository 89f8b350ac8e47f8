#pragma once
// Slices of a matrix: some of its numbers at each site.
//
// Slices of the replicas serve a jackknife over blocks of replicas. The sum P over all pairs, and
// P_b of block b, give the sum without block b (real_space_structure_factor.hpp).

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// Every `step`-th number from `first` on.
struct MatrixColumns {
  Index first = 0, step = 1, count = 0;
};

/// Returns without waiting for a GPU. @param matrix (site, number), on the device
/// @param to (site, width), overwritten by the block of columns, then zeros
void take_columns(const Device& device, const double* matrix, Index sites, Index numbers,
                  const MatrixColumns& column_block, Index width, double* to);

namespace detail {

LARMOR_HD inline double number_of_columns(const double* matrix, Index numbers,
                                          const MatrixColumns& column_block, Index site, Index n) {
  return n < column_block.count
             ? matrix[site * numbers + column_block.first + n * column_block.step]
             : 0.0;
}

#if defined(LARMOR_HAS_CUDA)
void take_columns_on_gpu(const Device& device, const double* matrix, Index sites, Index numbers,
                         const MatrixColumns& column_block, Index width, double* to);
#endif

}  // namespace detail

/// BITS: blocks of replicas, of sizes as equal as possible.
struct JackknifeBlocks {
  Index replicas = 1, blocks = 0;  ///< 0 blocks: no errors, one sum over all
  bool connected = false;

  /// At least `asked` blocks, so many that without one block enough replicas for a correlation
  /// remain.
  static JackknifeBlocks of(Index asked, Index replicas, bool connected);

  /// The numbers of each block in a matrix of spins; without blocks, of all replicas.
  /// @param components one block of columns per component x, y and z, block by block
  std::vector<MatrixColumns> column_blocks(bool components = false) const;
  /// P minus this weight times P_b is the sum over pairs without block b.
  double weight_of_block(Index block) const;
  Index count(Index block) const {
    return (block + 1) * replicas / blocks - block * replicas / blocks;
  }
};

/// Numbers in the largest block of columns.
Index width_of(const std::vector<MatrixColumns>& column_blocks);

}  // namespace larmor::correlations::real_space
