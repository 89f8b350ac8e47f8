#pragma once
// Selects some columns of a matrix, which are some of its numbers at each site.
//
// A jackknife leaves out one block of replicas at a time. P is the sum over all pairs, and P_b is
// the part of P from the columns of block b. Together they give the sum without block b
// (real_space_structure_factor.hpp).

#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/types.hpp"

namespace larmor::correlations::real_space {

/// `count` columns: every `step`-th number of a site, from `first` on.
struct MatrixColumns {
  Index first = 0, step = 1, count = 0;
};

/// Copies columns of a matrix. Returns without waiting for a GPU.
/// @param matrix (site, numbers), on the device
/// @param to (site, width), on the device. The columns overwrite it, and zeros fill the rest of
/// each row
void copy_columns(const Device& device, const double* matrix, Index sites, Index numbers,
                  const MatrixColumns& columns, Index width, double* to);

namespace detail {

LARMOR_HD inline double number_of_columns(const double* matrix, Index numbers,
                                          const MatrixColumns& columns, Index site, Index n) {
  return n < columns.count ? matrix[site * numbers + columns.first + n * columns.step] : 0.0;
}

#if defined(LARMOR_HAS_CUDA)
void copy_columns_on_gpu(const Device& device, const double* matrix, Index sites, Index numbers,
                         const MatrixColumns& columns, Index width, double* to);
#endif

}  // namespace detail

/// BITS: blocks of replicas, of sizes as equal as possible.
struct JackknifeBlocks {
  /// Number of replicas, and number of blocks. If there are 0 blocks, there are no errors, and one
  /// sum has all replicas.
  Index replicas = 1, blocks = 0;
  bool connected = false;

  /// Makes `asked` blocks. If too few replicas for a correlation would remain without one block,
  /// makes more blocks.
  static JackknifeBlocks of(Index asked, Index replicas, bool connected);

  /// The columns of each block in a matrix of spins; without blocks, the columns of all replicas.
  /// @param components do x, y and z have separate columns? The order is then (block, component)
  std::vector<MatrixColumns> column_blocks(bool components = false) const;
  /// The weight w for which P - w P_b is the sum over pairs without block b.
  double weight_of_block(Index block) const;
  Index count(Index block) const {
    return (block + 1) * replicas / blocks - block * replicas / blocks;
  }
};

/// The largest number of columns of a block.
Index width_of(const std::vector<MatrixColumns>& column_blocks);

}  // namespace larmor::correlations::real_space
