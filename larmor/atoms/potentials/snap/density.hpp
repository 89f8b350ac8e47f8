#pragma once
// The sum U = sum_k w_k f(r_ik) u(r_ik) over neighbours k, and whole matrices from the half
// (snap_tables.hpp).
//
// An array is any type with [] that returns a Real; re and im of an element are adjacent.

#include "larmor/atoms/potentials/snap/rotation_rows.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

/// sum += w f v for some neighbours. @param sum sum of v (half, 2)
template <int count, class Real, class Array>
LARMOR_INLINE void add_neighbours(const SnapTablesView& tables,
                                  const NeighbourRotation<Real> (&neighbour)[count], Array sum) {
  CayleyKlein<Real> g[count];
  for (int c = 0; c < count; ++c) g[c] = cayley_klein(neighbour[c]);
  walk_rows(tables.twojmax, g, [&](int n, const Elements<count, Real>& e) {
    Real re = sum[2 * n], im = sum[2 * n + 1];
    for (int c = 0; c < count; ++c) {
      re = re + neighbour[c].weight * e.v[c].re;
      im = im + neighbour[c].weight * e.v[c].im;
    }
    sum[2 * n] = re;
    sum[2 * n + 1] = im;
  });
}

/// Computes whole matrices U_j from the half sum of v. @param self is added to the diagonal
/// @param U (full, 2)
template <class Real, class Array>
LARMOR_INLINE void make_whole(const SnapTablesView& tables, double self, Array sum, Array U) {
  int n = 0;
  for (int mb = 0; 2 * mb <= tables.twojmax; ++mb)
    for (int j = 2 * mb; j <= tables.twojmax; ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma, ++n) {
        const Real norm(tables.norm[n]);
        Complex<Real> u{norm * sum[2 * n], norm * sum[2 * n + 1]};
        if (ma == mb) u.re = u.re + Real(self);
        const Complex<Real> other = mirrored(ma + mb, u);
        const int here = tables.layer_start[j] + mb * (j + 1) + ma;
        const int there = tables.layer_start[j] + (j - mb) * (j + 1) + j - ma;
        U[2 * here] = u.re;
        U[2 * here + 1] = u.im;
        if (there == here) continue;
        U[2 * there] = other.re;
        U[2 * there + 1] = other.im;
      }
}

/// The product <U, X>: the sum over whole matrices of Re(conj(U) X). @param X (half, 2)
template <class Real, class Array, class Half>
LARMOR_INLINE Real contracted(const SnapTablesView& tables, Array U, Half X) {
  Real total(0.0);
  int n = 0;
  for (int mb = 0; 2 * mb <= tables.twojmax; ++mb)
    for (int j = 2 * mb; j <= tables.twojmax; ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma, ++n) {
        const int here = tables.layer_start[j] + mb * (j + 1) + ma;
        const Real product = U[2 * here] * X[2 * n] + U[2 * here + 1] * X[2 * n + 1];
        total = total + Real(2 * ma == j && 2 * mb == j ? 1.0 : 2.0) * product;
      }
  return total;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
