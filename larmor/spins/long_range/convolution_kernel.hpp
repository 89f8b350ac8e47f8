#pragma once
// The product of a convolution in reciprocal space, compiled once per instruction set.
//
// Wave vectors are taken in groups of eight. Numbers of the fields lie (wave vector, re im), those
// of the tensors (group, pair of atoms, component[, re im], 8), the eight of a group in the order
// 0 4 1 5 2 6 3 7: that is how the first and the second half of a group come to lie when their real
// and imaginary parts are set apart, with vectors of any width.

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/types.hpp"

namespace larmor::spins {

inline constexpr Index wave_group = 8;
/// Place of the n-th wave vector of a group among the numbers of a tensor.
LARMOR_INLINE constexpr Index place_in_group(Index n) { return n < 4 ? 2 * n : 2 * n - 7; }

/// Components of a symmetric matrix, xx xy xz yy yz zz.
inline constexpr Index symmetric_components = 6;

/// Doubles of one group: the tensor of an atom with itself, real and of every atom the same.
inline constexpr Index self_tensor_doubles = symmetric_components * wave_group;
/// And those of atoms a < b, complex.
inline constexpr Index pair_tensor_doubles = 2 * symmetric_components * wave_group;

/// Where the tensor of atoms a < b begins in a group.
LARMOR_INLINE constexpr Index pair_tensor_begin(Index atoms, Index a, Index b) {
  return self_tensor_doubles + pair_tensor_doubles * (a * atoms - a * (a + 1) / 2 + b - a - 1);
}
/// Doubles of all tensors of a group.
LARMOR_INLINE constexpr Index group_tensor_doubles(Index atoms) {
  return self_tensor_doubles + pair_tensor_doubles * (atoms * (atoms - 1) / 2);
}

struct ProductRequest {
  Index atoms;
  Index first, last;      ///< groups
  const double* tensors;  ///< of group 0
  double* fields;         ///< (atom, 3) fields of `field_stride` doubles each; overwritten
  Index field_stride;
  double* work;  ///< 48 doubles an atom, aligned to 64 bytes
};

/// h_a = sum_b T_ab m_b of a range of wave vectors, in place
using ProductKernel = void (*)(const ProductRequest&);

/// For this machine's instruction set.
ProductKernel product_kernel();

}  // namespace larmor::spins
