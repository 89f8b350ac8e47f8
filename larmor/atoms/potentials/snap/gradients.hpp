#pragma once
// dE_i/dr_ij = <d(w f u)/dr_ij, Y> for a neighbour j, in two ways. The adjoint method of SNAP uses
// the derivatives of u, which follow from the recursion of u. The other method uses generators of
// rotations. They act on Y once per atom, and not on u for every neighbour. A derivative of u_j
// along any generator is u_j times a matrix that couples ma with ma - 1, ma and ma + 1.

#include "larmor/atoms/potentials/snap/rotation_rows.hpp"

namespace larmor::atoms::snap {
inline namespace LARMOR_ISA_NAMESPACE {

/// Weights Y for contractions with v. @param Y, folded (half, 2)
template <class Real, class Array>
LARMOR_INLINE void fold(const SnapTablesView& tables, Array Y, Array folded) {
  int n = 0;
  for (int mb = 0; 2 * mb <= tables.twojmax; ++mb)
    for (int j = 2 * mb; j <= tables.twojmax; ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma, ++n) {
        const Real scale((2 * ma == j && 2 * mb == j ? 1.0 : 2.0) * tables.norm[n]);
        folded[2 * n] = scale * Y[2 * n];
        folded[2 * n + 1] = scale * Y[2 * n + 1];
      }
}

/// Applies the generators to the element ma of a row of Y. Contractions of the four results with v
/// give <u, Y> and its changes by rotations about z, -y, -x. @param below, here, above y[ma - 1],
/// y[ma], y[ma + 1] of the row
template <class Real>
LARMOR_INLINE void apply_generators(int j, int ma, const Complex<Real>& below,
                                    const Complex<Real>& here, const Complex<Real>& above,
                                    Complex<Real> (&generated)[4]) {
  const Complex<Real> none{Real(0.0), Real(0.0)};
  const Complex<Real> up = ma < j ? Real(1.0 * (j - ma)) * above : none;
  const Complex<Real> down = ma > 0 ? Real(1.0 * ma) * below : none;
  const Real turn(j - 2.0 * ma);
  const Complex<Real> both = up + down;
  generated[0] = here;
  generated[1] = {turn * here.im, -(turn * here.re)};
  generated[2] = up - down;
  generated[3] = {both.im, -both.re};
}

/// Y and the generators applied to Y (half, 4, 2).
template <class Real, class Array>
LARMOR_INLINE void fold_with_generators(const SnapTablesView& tables, Array Y, Array folded) {
  int n = 0;
  for (int mb = 0; 2 * mb <= tables.twojmax; ++mb)
    for (int j = 2 * mb; j <= tables.twojmax; ++j) {
      const bool is_middle = j == 2 * mb;
      const int size = is_middle ? mb : j;
      Complex<Real> y[most_twojmax + 1];
      for (int ma = 0; ma <= size; ++ma) {
        const Real scale((is_middle ? 1.0 : 2.0) * tables.norm[n + ma]);
        y[ma] = {scale * Y[2 * (n + ma)], scale * Y[2 * (n + ma) + 1]};
        if (is_middle && ma < mb) y[j - ma] = mirrored(ma + mb, y[ma]);
      }
      for (int ma = 0; ma <= size; ++ma, ++n) {
        Complex<Real> generated[4];
        apply_generators(j, ma, y[ma > 0 ? ma - 1 : 0], y[ma], y[ma < j ? ma + 1 : j], generated);
        const Real weight(is_middle && ma < mb ? 2.0 : 1.0);
        for (int p = 0; p < 4; ++p) {
          folded[8 * n + 2 * p] = weight * generated[p].re;
          folded[8 * n + 2 * p + 1] = weight * generated[p].im;
        }
      }
    }
}

/// Gradients for some neighbours, by generators. @param folded from fold_with_generators
template <int count, class Real, class Array>
LARMOR_INLINE void gradients_by_generators(const SnapTablesView& tables,
                                           const NeighbourRotation<Real> (&neighbour)[count],
                                           Array folded, Vec3<Real> (&gradient)[count]) {
  CayleyKlein<Real> g[count];
  Real sum[count][4];
  for (int c = 0; c < count; ++c) {
    g[c] = cayley_klein(neighbour[c]);
    for (int p = 0; p < 4; ++p) sum[c][p] = Real(0.0);
  }
  walk_rows(tables.twojmax, g, [&](int n, const Elements<count, Real>& e) {
    for (int p = 0; p < 4; ++p) {
      const Real re = folded[8 * n + 2 * p], im = folded[8 * n + 2 * p + 1];
      for (int c = 0; c < count; ++c) sum[c][p] = sum[c][p] + re * e.v[c].re + im * e.v[c].im;
    }
  });
  for (int c = 0; c < count; ++c)
    gradient[c] = gradient_of(neighbour[c], sum[c][0], {-sum[c][3], -sum[c][2], sum[c][1]});
}

/// a and b with their derivatives by x, y, z.
template <class Real>
struct DifferentiatedRotation {
  Complex<Real> a, b, da[3], db[3];
};

template <class Real>
LARMOR_INLINE DifferentiatedRotation<Real> differentiated(const NeighbourRotation<Real>& g) {
  const Real h[3] = {g.direction.x, g.direction.y, g.direction.z};
  DifferentiatedRotation<Real> d{{g.a_re(), g.a_im()}, {g.b_re(), g.b_im()}, {}, {}};
  for (int c = 0; c < 3; ++c) {
    const Real cosine_slope = -(g.sine * g.rate * h[c]), sine_slope = g.cosine * g.rate * h[c];
    Real s[3];  // d(h sin theta)/dr_c
    for (int k = 0; k < 3; ++k) {
      const Real straight(k == c ? 1.0 : 0.0);
      s[k] = h[k] * sine_slope + g.sine * g.inverse_distance * (straight - h[k] * h[c]);
    }
    d.da[c] = {cosine_slope, -s[2]};
    d.db[c] = {s[1], -s[0]};
  }
  return d;
}

/// An element of v and its derivatives.
template <class Real>
struct Differentiated {
  Complex<Real> v, d[3];
};

/// The product of f and `row`, with its derivatives. f is a or b, or one of them conjugated.
template <class Real, class Times>
LARMOR_INLINE Differentiated<Real> times(const Complex<Real>& f, const Complex<Real> (&df)[3],
                                         const Differentiated<Real>& row, const Times& product) {
  Differentiated<Real> r{product(f, row.v), {}};
  for (int c = 0; c < 3; ++c) r.d[c] = product(df[c], row.v) + product(f, row.d[c]);
  return r;
}

/// walk_rows with derivatives.
template <class Real, class Visit>
LARMOR_INLINE void walk_differentiated_rows(int twojmax, const DifferentiatedRotation<Real>& g,
                                            const Visit& visit) {
  using Element = Differentiated<Real>;
  const auto plain = [](const Complex<Real>& x, const Complex<Real>& y) { return x * y; };
  const auto conjugated = [](const Complex<Real>& x, const Complex<Real>& y) {
    return conj_times(x, y);
  };
  const auto combined = [](const Element& x, double sign, const Element& y) {
    const Real s(sign);
    Element r{x.v + s * y.v, {}};
    for (int c = 0; c < 3; ++c) r.d[c] = x.d[c] + s * y.d[c];
    return r;
  };
  const Complex<Real> none{Real(0.0), Real(0.0)};
  const Element zero{none, {none, none, none}};
  Element row[most_twojmax + 1], last_row[most_twojmax + 1];
  int n = 0;
  for (int mb = 0; 2 * mb <= twojmax; ++mb) {
    for (int ma = 0; ma <= mb; ++ma) {
      if (mb == 0) {
        row[0] = zero;
        row[0].v.re = Real(1.0);
      } else {
        const Element from_b = times(g.b, g.db, last_row[ma], plain);
        const Element from_a = ma > 0 ? times(g.a, g.da, last_row[ma - 1], plain) : zero;
        row[ma] = combined(from_b, 1.0, from_a);
      }
      if (ma < mb) {
        row[2 * mb - ma].v = mirrored(mb + ma, row[ma].v);
        for (int c = 0; c < 3; ++c) row[2 * mb - ma].d[c] = mirrored(mb + ma, row[ma].d[c]);
      }
      visit(n++, row[ma]);
    }
    for (int j = 2 * mb + 1; j <= twojmax; ++j) {
      Element before = zero;
      for (int ma = 0; ma <= j; ++ma) {
        const Element here = ma < j ? row[ma] : zero;
        row[ma] = combined(times(g.a, g.da, here, conjugated), -1.0,
                           times(g.b, g.db, before, conjugated));
        before = here;
        visit(n++, row[ma]);
      }
      if (j == 2 * mb + 1)
        for (int ma = 0; ma <= j; ++ma) last_row[ma] = row[ma];
    }
  }
}

/// Gradient for one neighbour, by the derivatives of u. @param folded from fold
template <class Real, class Array>
LARMOR_INLINE Vec3<Real> gradient_by_derivatives(const SnapTablesView& tables,
                                                 const NeighbourRotation<Real>& neighbour,
                                                 Array folded) {
  Real plain(0.0), slope[3] = {Real(0.0), Real(0.0), Real(0.0)};
  walk_differentiated_rows(tables.twojmax, differentiated(neighbour),
                           [&](int n, const Differentiated<Real>& e) {
                             const Complex<Real> y{folded[2 * n], folded[2 * n + 1]};
                             plain = plain + real_product(y, e.v);
                             for (int c = 0; c < 3; ++c)
                               slope[c] = slope[c] + real_product(y, e.d[c]);
                           });
  return neighbour.weight_slope * plain * neighbour.direction +
         neighbour.weight * Vec3<Real>{slope[0], slope[1], slope[2]};
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::atoms::snap
