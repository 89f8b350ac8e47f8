#pragma once
// The product of a convolution in reciprocal space, compiled once for each instruction set.
//
// Wave vectors form groups of eight. Fields have the order (wave vector, re im), tensors (group,
// pair of atoms, component[, re im], 8). The eight wave vectors of a tensor group have the order 0
// 4 1 5 2 6 3 7. This is the order that arises when real and imaginary parts of the two halves of a
// group are separated, for vectors of any width.

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor::spins {

inline constexpr Index wave_group = 8;
/// Position of the n-th wave vector of a group among the numbers of a tensor.
LARMOR_INLINE constexpr Index place_in_group(Index n) { return n < 4 ? 2 * n : 2 * n - 7; }

/// Number of components of a symmetric matrix: xx xy xz yy yz zz.
inline constexpr Index symmetric_components = 6;

/// Doubles of the tensor of an atom with itself in one group: real, and equal for all atoms.
inline constexpr Index self_tensor_doubles = symmetric_components * wave_group;
/// Doubles of the tensor of atoms a < b in one group: complex.
inline constexpr Index pair_tensor_doubles = 2 * symmetric_components * wave_group;

/// Begin of the tensor of atoms a < b in a group.
LARMOR_INLINE constexpr Index pair_tensor_begin(Index atoms, Index a, Index b) {
  return self_tensor_doubles + pair_tensor_doubles * (a * atoms - a * (a + 1) / 2 + b - a - 1);
}
/// Doubles of all tensors of a group.
LARMOR_INLINE constexpr Index group_tensor_doubles(Index atoms) {
  return self_tensor_doubles + pair_tensor_doubles * (atoms * (atoms - 1) / 2);
}

struct ProductRequest {
  Index atoms;
  Index first, last;      ///< range of groups
  const double* tensors;  ///< of group 0
  double* fields;         ///< (atom, 3) fields of `field_stride` doubles each; overwritten
  Index field_stride;
  double* work;  ///< 48 doubles for each atom, aligned to 64 bytes
};

/// Computes h_a = sum_b T_ab m_b for a range of wave vectors, in place.
using ProductKernel = void (*)(const ProductRequest&);

/// The kernel for the instruction set of this machine.
LARMOR_CPU_KERNELS(ProductKernel, product_kernel)

}  // namespace larmor::spins
