#pragma once
// The product of a convolution in reciprocal space, h_a = sum_b T_ab m_b for basis atoms a and b.
// It is compiled once for each instruction set. A CPU processes one vector of wave vectors at once,
// a GPU thread one wave vector.
//
// Wave vectors form groups of eight. Fields have the order (wave vector, re im), tensors (group,
// pair of atoms, component[, re im], 8). The eight wave vectors of a tensor group have the order 0
// 4 1 5 2 6 3 7. This is the order that arises when real and imaginary parts of the two halves of
// a group are separated, for vectors of any width.

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/maths/pack.hpp"
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
  const double* tensors;  ///< numbers of group 0
  double* fields;         ///< (atom, 3) fields of `field_stride` doubles each; overwritten
  Index field_stride;
  double* work;  ///< 48 doubles for each atom, aligned to 64 bytes
};

/// Computes h_a = sum_b T_ab m_b for a range of wave vectors, in place.
using ProductKernel = void (*)(const ProductRequest&);

/// The kernel for the instruction set of this machine.
LARMOR_CPU_KERNELS(ProductKernel, product_kernel)

inline namespace LARMOR_ISA_NAMESPACE {

template <class Scalar>
using NumberOf = typename Native<Scalar>::Number;

template <class Scalar>
struct ComplexNumber {
  NumberOf<Scalar> re, im;
};
template <class Scalar>
struct Complex3 {
  ComplexNumber<Scalar> x, y, z;
};

/// Component c of a real tensor.
/// @tparam Load load(n) is the n-th number of the tensors
template <class Load>
struct RealTensor {
  const Load& load;
  LARMOR_INLINE auto operator()(Index c) const { return load(c * wave_group); }
};
/// Component c of a complex tensor that begins at `first`, or its conjugate.
template <bool conjugate, class Scalar, class Load>
struct ComplexTensor {
  const Load& load;
  Index first;
  LARMOR_INLINE ComplexNumber<Scalar> operator()(Index c) const {
    const NumberOf<Scalar> im = load(first + (2 * c + 1) * wave_group);
    return {load(first + 2 * c * wave_group), conjugate ? -im : im};
  }
};

template <class Scalar>
LARMOR_INLINE void add_product(const NumberOf<Scalar>& t, const ComplexNumber<Scalar>& z,
                               ComplexNumber<Scalar>& sum) {
  sum.re = sum.re + t * z.re;
  sum.im = sum.im + t * z.im;
}
template <class Scalar>
LARMOR_INLINE void add_product(const ComplexNumber<Scalar>& t, const ComplexNumber<Scalar>& z,
                               ComplexNumber<Scalar>& sum) {
  sum.re = sum.re + t.re * z.re - t.im * z.im;
  sum.im = sum.im + t.re * z.im + t.im * z.re;
}
/// h += T m
template <class Tensor, class Scalar>
LARMOR_INLINE void add_tensor_product(const Tensor& T, const Complex3<Scalar>& m,
                                      Complex3<Scalar>& h) {
  const auto xx = T(0), xy = T(1), xz = T(2), yy = T(3), yz = T(4), zz = T(5);
  add_product(xx, m.x, h.x);
  add_product(xy, m.y, h.x);
  add_product(xz, m.z, h.x);
  add_product(xy, m.x, h.y);
  add_product(yy, m.y, h.y);
  add_product(yz, m.z, h.y);
  add_product(xz, m.x, h.z);
  add_product(yz, m.y, h.z);
  add_product(zz, m.z, h.z);
}

/// Multiplies the tensors with the moments of all atoms.
/// @param load tensor numbers of the current wave vectors, in the order of the groups
/// @param moment returns m of an atom
/// @param store receives an atom and its h
template <class Scalar, class Load, class Moment, class Store>
LARMOR_INLINE void multiply_atoms(Index atoms, const Load& load, const Moment& moment,
                                  const Store& store) {
  for (Index a = 0; a < atoms; ++a) {
    Complex3<Scalar> h{};
    add_tensor_product(RealTensor<Load>{load}, moment(a), h);
    // T_ba is the conjugate of T_ab.
    for (Index b = 0; b < a; ++b)
      add_tensor_product(ComplexTensor<true, Scalar, Load>{load, pair_tensor_begin(atoms, b, a)},
                         moment(b), h);
    for (Index b = a + 1; b < atoms; ++b)
      add_tensor_product(ComplexTensor<false, Scalar, Load>{load, pair_tensor_begin(atoms, a, b)},
                         moment(b), h);
    store(a, h);
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::spins
