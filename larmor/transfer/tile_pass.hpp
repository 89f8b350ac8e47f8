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

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

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

/// Element t of a tile: its chunk bits are the lowest of the index, the others begin at first_bit.
/// The number of the tile has the remaining bits.
struct PassView {
  int bits;                           ///< bits of the index
  int first_bit;                      ///< first bit of the group; 0: the tile is contiguous
  int chunk;                          ///< 0 or chunk_bits
  double a[tile_bits], b[tile_bits];  ///< matrices of the bits of an element; 1 and 0: none

  LARMOR_INLINE int element_bits() const { return bits < tile_bits ? bits : tile_bits; }
  LARMOR_INLINE Index tiles() const { return Index{1} << (bits - element_bits()); }
  /// Index of element 0.
  LARMOR_INLINE Index begin_of(Index tile) const {
    const int between = first_bit - chunk;
    const Index below = tile & ((Index{1} << between) - 1);
    return (below << chunk) + ((tile >> between) << (first_bit + element_bits() - chunk));
  }
  LARMOR_INLINE Index offset_of(Index t) const {
    return (t & ((Index{1} << chunk) - 1)) + ((t >> chunk) << first_bit);
  }
};

/// The numbers that a pass reads: those of a vector, or in the first pass u = D^(1/2) v. In a
/// sector, the site without a bit joins x with its mirror image: u(x) becomes a u(x) + b u(-x).
struct TileInput {
  const double* v;
  bool is_first, has_mirror;
  WeightView weight;
  double a, b;
  Index mask;  ///< 2^bits - 1

  LARMOR_INLINE double operator()(Index x) const {
    if (!is_first) return v[x];
    const double u = weight(x) * v[x];
    return has_mirror ? a * u + b * (weight(x ^ mask) * v[x ^ mask]) : u;
  }
};

struct TileOutput {
  double* v;
  bool is_last;
  WeightView weight;

  LARMOR_INLINE void store(Index x, double value) const {
    v[x] = is_last ? weight(x) * value : value;
  }
};

LARMOR_INLINE void multiply(double a, double b, double& x, double& y) {
  const double sum = a * x + b * y;
  y = b * x + a * y;
  x = sum;
}

}  // namespace larmor::transfer
