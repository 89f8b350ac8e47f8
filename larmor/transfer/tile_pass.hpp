#pragma once
// A pass of the product with T = D'^(1/2) X D^(1/2). D are the Boltzmann weights of the bonds and
// fields of a row, divided by their upper bound. X is the product of a matrix for each site:
//
//   X_i = [[a, b], [b, a]],   a : b = e^K' : e^-K',   max(a, b) = 1.
//
// A pass multiplies the matrices of up to twelve bits of the index, in tiles of 2^12 numbers. The
// first pass also multiplies D^(1/2), the last one D'^(1/2).
//
// Weights are products of two factors: one of the low bits, and one of the bits that have bonds to
// high bits and of the high bits. So a large vector needs two small tables, and no diagonal.

#include "larmor/transfer/tile_layout.hpp"

namespace larmor::transfer {

inline constexpr int tile_bits = 12;
/// Contiguous numbers of a tile of high bits: a whole cache line of a GPU.
inline constexpr int chunk_bits = 4;

/// The square root of the weight of a row.
struct WeightView {
  int low_bits, plain_bits;
  const double* low;   ///< [2^low_bits]
  const double* rest;  ///< [2^(bits - plain_bits)]

  LARMOR_INLINE double operator()(Index x) const {
    return low[x & ((Index{1} << low_bits) - 1)] * rest[x >> plain_bits];
  }
};

/// A pass over the tiles of a group of bits.
struct PassView : TileLayout {
  double a[tile_bits], b[tile_bits];  ///< matrices of the bits of an element; 1 and 0: none
};

/// The numbers that a pass reads: those of a vector, or in the first pass u = a D^(1/2) v. In a
/// sector, the site without a bit joins x with its mirror image: u(x) = a w(x) v(x) + b w(-x) v(-x)
/// for w = D^(1/2).
struct TileInput {
  const double* v;
  const double* mirror;  ///< the vector that has the mirror images; null: there are none
  bool is_first;
  WeightView weight, mirror_weight;
  double a, b;
  Index mask;  ///< 2^bits - 1
};

/// The numbers that a pass writes. The last pass multiplies D'^(1/2), and may also subtract a
/// multiple of another vector and add the products with a third one.
struct TileOutput {
  double* v;
  bool is_last;
  WeightView weight;
  const double* previous;  ///< null: nothing is subtracted
  double coefficient;
  const double* other;  ///< null: no sums
  double* sums;         ///< [2^part_bits, blocks of tiles]
};

/// Blocks of threads of a GPU. BITS: each adds the sums of every n-th tile.
LARMOR_HD constexpr Index blocks_of_tiles(Index tiles) {
  constexpr Index most_blocks = 4096;
  return tiles < most_blocks ? tiles : most_blocks;
}

/// BITS: both results have one form, so that the ranks of both numbers round alike.
LARMOR_INLINE double combined(double a, double own, double b, double other) {
#if defined(__CUDA_ARCH__)
  return fma(b, other, a * own);
#else
  return a * own + b * other;
#endif
}

LARMOR_INLINE void multiply(double a, double b, double& x, double& y) {
  const double sum = combined(a, x, b, y);
  y = combined(a, y, b, x);
  x = sum;
}

}  // namespace larmor::transfer
