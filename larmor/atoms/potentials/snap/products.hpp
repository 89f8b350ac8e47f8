#pragma once
// The products
//
//   Z_j1j2j[mb][ma] = sum_mb1 sum_ma1 C(mb1, mb2) C(ma1, ma2) U_j1[mb1][ma1] U'_j2[mb2][ma2],
//
// with mb1 + mb2 = mb + (j1 + j2 - j) / 2, and likewise for ma. For given j1, j2 and sums mb1 + mb2
// and ma1 + ma2, the products of two elements are computed once and coupled to all j. For all j,
// the half 2 mb <= j of Z_j has the sums mb1 + mb2 up to (j1 + j2) / 2.

#include "larmor/atoms/potentials/snap/rotation_rows.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

#if defined(__CUDACC__)
#define LARMOR_UNROLL_PRODUCTS _Pragma("unroll")
#else
#define LARMOR_UNROLL_PRODUCTS _Pragma("GCC unroll 8")
#endif

/// The most elements of a row that are coupled at a time, limited by registers.
inline constexpr int most_products = 8;

/// total[j] += c_b[j] sum_k c_a[j][k] u[k] u'[-k] for `count` elements k of two rows.
/// @param u, other (element, 2); `other` is read backwards
template <int count, class Real, class Array>
LARMOR_INLINE void couple_products(Array u, int first, Array other, int last, const double* c_a,
                                   int stride_a, const double* c_b, int stride_b, int layers,
                                   Complex<Real>* total) {
  Complex<Real> product[count];
  LARMOR_UNROLL_PRODUCTS
  for (int k = 0; k < count; ++k)
    product[k] = Complex<Real>{u[2 * (first + k)], u[2 * (first + k) + 1]} *
                 Complex<Real>{other[2 * (last - k)], other[2 * (last - k) + 1]};
  for (int layer = 0; layer < layers; ++layer, c_a += stride_a, c_b += stride_b) {
    Complex<Real> sum = Real(c_a[0]) * product[0];
    LARMOR_UNROLL_PRODUCTS
    for (int k = 1; k < count; ++k) sum = sum + Real(c_a[k]) * product[k];
    total[layer] = total[layer] + Real(*c_b) * sum;
  }
}

template <class Real, class Array>
LARMOR_INLINE void couple_products(int count, Array u, int first, Array other, int last,
                                   const double* c_a, int stride_a, const double* c_b, int stride_b,
                                   int layers, Complex<Real>* total) {
#define LARMOR_COUPLE(n) \
  couple_products<n, Real>(u, first, other, last, c_a, stride_a, c_b, stride_b, layers, total)
  switch (count) {
    case 1:
      return LARMOR_COUPLE(1);
    case 2:
      return LARMOR_COUPLE(2);
    case 3:
      return LARMOR_COUPLE(3);
    case 4:
      return LARMOR_COUPLE(4);
    case 5:
      return LARMOR_COUPLE(5);
    case 6:
      return LARMOR_COUPLE(6);
    case 7:
      return LARMOR_COUPLE(7);
    default:
      return LARMOR_COUPLE(8);
  }
#undef LARMOR_COUPLE
}

/// Calls visit(triple, j, mb, ma, Z) for the half of all Z of one pair of layers.
/// @param U, other whole matrices (full, 2) of the first and of the second factor
/// @param same are U and `other` equal?
template <class Real, class Array, class Visit>
LARMOR_INLINE void products_of_pair(const SnapTablesView& tables, int pair, Array U, Array other,
                                    bool same, const Visit& visit) {
  const int j1 = tables.pair_j1[pair], j2 = tables.pair_j2[pair];
  const int high_j =
      j1 + j2 < tables.twojmax ? j1 + j2 : tables.twojmax - (j1 + j2 + tables.twojmax) % 2;
  // If both factors are equal, rows of the two factors may be exchanged.
  const bool alike = same && j1 == j2;
  const double* of_rows = alike ? tables.coefficient_of_half : tables.coefficient;
  const CouplingBlock* blocks = tables.block + tables.pair_block[pair];
  Complex<Real> Z[most_twojmax + 1];
  for (int m_b = 0; 2 * m_b <= j1 + j2; ++m_b) {
    const CouplingBlock& of_b = blocks[m_b];
    if (of_b.low_j > high_j) continue;
    for (int m_a = 0; m_a <= (2 * m_b == j1 + j2 ? m_b : j1 + j2); ++m_a) {
      const CouplingBlock& of_a = blocks[m_a];
      const int low_j = of_a.low_j > of_b.low_j ? of_a.low_j : of_b.low_j;
      const int layers = (high_j - low_j) / 2 + 1;
      if (low_j > high_j) continue;
      const double* c_a =
          tables.coefficient + of_a.first + (low_j - of_a.low_j) / 2 * of_a.count_m1;
      const double* c_b = of_rows + of_b.first + (low_j - of_b.low_j) / 2 * of_b.count_m1;
      for (int layer = 0; layer < layers; ++layer) Z[layer] = {Real(0.0), Real(0.0)};
      const int rows = alike ? m_b / 2 + 1 - of_b.low_m1 : of_b.count_m1;
      for (int k_b = 0; k_b < rows; ++k_b) {
        const int mb1 = of_b.low_m1 + k_b;
        const int first = tables.layer_start[j1] + mb1 * (j1 + 1) + of_a.low_m1;
        const int last = tables.layer_start[j2] + (m_b - mb1) * (j2 + 1) + m_a - of_a.low_m1;
        for (int k_a = 0; k_a < of_a.count_m1; k_a += most_products) {
          const int rest = of_a.count_m1 - k_a;
          couple_products(rest < most_products ? rest : most_products, U, first + k_a, other,
                          last - k_a, c_a + k_a, of_a.count_m1, c_b + k_b, of_b.count_m1, layers,
                          Z);
        }
      }
      for (int layer = 0; layer < layers; ++layer) {
        const int j = low_j + 2 * layer, shift = (j1 + j2 - j) / 2;
        visit(tables.pair_triple[pair] + (j - j1 + j2) / 2, j, m_b - shift, m_a - shift, Z[layer]);
      }
    }
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
