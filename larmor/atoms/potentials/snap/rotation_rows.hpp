#pragma once
// Wigner's matrices u_j of a rotation, row by row without roots: with u = norm v, where norm =
// sqrt(ma! (j-ma)! / (mb! (j-mb)!)), row mb of v_j has the coefficients of the polynomial
//
//   (conj a - conj b x)^(j-mb) (b + a x)^mb,
//
// so that row mb of v_j is row mb of v_(j-1) times (conj a - conj b x). The first row of the half
// with mb, where j = 2 mb, follows from the last row with mb - 1, where j = 2 mb - 1. It is that
// row times (b + a x). Only one row at a time is stored, and every element is computed once.

#include "larmor/atoms/potentials/snap/neighbour_rotation.hpp"
#include "larmor/atoms/potentials/snap/snap_tables.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

template <class Real>
struct Complex {
  Real re, im;

  LARMOR_INLINE friend Complex operator+(const Complex& x, const Complex& y) {
    return {x.re + y.re, x.im + y.im};
  }
  LARMOR_INLINE friend Complex operator-(const Complex& x, const Complex& y) {
    return {x.re - y.re, x.im - y.im};
  }
  LARMOR_INLINE friend Complex operator*(const Complex& x, const Complex& y) {
    return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
  }
  LARMOR_INLINE friend Complex operator*(const Real& s, const Complex& x) {
    return {s * x.re, s * x.im};
  }
};

/// conj(x) y
template <class Real>
LARMOR_INLINE Complex<Real> conj_times(const Complex<Real>& x, const Complex<Real>& y) {
  return {x.re * y.re + x.im * y.im, x.re * y.im - x.im * y.re};
}
/// Re(conj(x) y)
template <class Real>
LARMOR_INLINE Real real_product(const Complex<Real>& x, const Complex<Real>& y) {
  return x.re * y.re + x.im * y.im;
}
/// (-1)^n conj(x)
template <class Real>
LARMOR_INLINE Complex<Real> mirrored(int n, const Complex<Real>& x) {
  if (n % 2 == 0) return {x.re, -x.im};
  return {-x.re, x.im};
}

template <class Real>
struct CayleyKlein {
  Complex<Real> a, b;
};

template <class Real>
LARMOR_INLINE CayleyKlein<Real> cayley_klein(const NeighbourRotation<Real>& g) {
  return {{g.a_re(), g.a_im()}, {g.b_re(), g.b_im()}};
}

/// An element of a row of v, for `count` rotations.
template <int count, class Real>
struct Elements {
  Complex<Real> v[count];
};

/// Calls visit(n, v) for all elements of the half in their order, n counting from 0.
template <int count, class Real, class Visit>
LARMOR_INLINE void walk_rows(int twojmax, const CayleyKlein<Real> (&g)[count], const Visit& visit) {
  Elements<count, Real> row[most_twojmax + 1], last_row[most_twojmax + 1];
  int n = 0;
  for (int mb = 0; 2 * mb <= twojmax; ++mb) {
    if (mb == 0) {
      for (int c = 0; c < count; ++c) row[0].v[c] = {Real(1.0), Real(0.0)};
      visit(n++, row[0]);
    } else {
      for (int ma = 0; ma <= mb; ++ma) {
        for (int c = 0; c < count; ++c) {
          Complex<Real> v = g[c].b * last_row[ma].v[c];
          if (ma > 0) v = v + g[c].a * last_row[ma - 1].v[c];
          row[ma].v[c] = v;
          row[2 * mb - ma].v[c] = ma == mb ? v : mirrored(mb + ma, v);
        }
        visit(n++, row[ma]);
      }
    }
    for (int j = 2 * mb + 1; j <= twojmax; ++j) {
      Elements<count, Real> before = row[0];
      for (int c = 0; c < count; ++c) row[0].v[c] = conj_times(g[c].a, before.v[c]);
      visit(n++, row[0]);
      for (int ma = 1; ma < j; ++ma) {
        const Elements<count, Real> here = row[ma];
        for (int c = 0; c < count; ++c)
          row[ma].v[c] = conj_times(g[c].a, here.v[c]) - conj_times(g[c].b, before.v[c]);
        visit(n++, row[ma]);
        before = here;
      }
      for (int c = 0; c < count; ++c) {
        const Complex<Real> v = conj_times(g[c].b, before.v[c]);
        row[j].v[c] = {-v.re, -v.im};
      }
      visit(n++, row[j]);
      if (j == 2 * mb + 1)
        for (int ma = 0; ma <= j; ++ma) last_row[ma] = row[ma];
    }
  }
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
