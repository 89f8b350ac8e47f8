#pragma once
// The equations of G. J. Martyna, D. J. Tobias, M. L. Klein, J. Chem. Phys. 101, 4177 (1994) for
// atoms in a box h that changes at the rate R (1/ps; symmetric, so that the box does not rotate):
//
//   dr/dt = v + R r,   dv/dt = F/m - (R + tr R / n) v,   dh/dt = R h,
//   M dR/dt = sum m v (x) v + W - P V + 2 K / n,   n = 3 N - 3,
//
// with M = (n + 3) k_B T tau^2 / 3 and the energy M tr R^2 / 2 of the box. N is the number of
// atoms, K their kinetic energy, W the virial, P the target pressure and V the volume. The shape of
// the box determines which components of dR/dt are used. The flow preserves the volume of phase
// space such that a box has the weight exp(-(E + P V) / k_B T) dV.

#include "larmor/core/maths/vec3.hpp"

namespace larmor::atoms {

/// isotropic: R is a multiple of the unit matrix; anisotropic: diagonal; triclinic: symmetric.
enum class CellShape { isotropic, anisotropic, triclinic };

/// Number of independent components of R.
LARMOR_HD constexpr double rates_of(CellShape shape) {
  return shape == CellShape::isotropic ? 1 : shape == CellShape::anisotropic ? 3 : 6;
}

LARMOR_INLINE double trace(const Mat3<double>& m) { return m.row[0].x + m.row[1].y + m.row[2].z; }

LARMOR_INLINE Mat3<double> multiple_of_unit(double a) {
  return {{{a, 0, 0}, {0, a, 0}, {0, 0, a}}};
}

LARMOR_INLINE Mat3<double> product(const Mat3<double>& a, const Mat3<double>& b) {
  const Mat3<double> columns = b.transposed();
  return {{columns * a.row[0], columns * a.row[1], columns * a.row[2]}};
}

/// The component of a symmetric matrix that a box of this shape may follow.
LARMOR_INLINE Mat3<double> allowed_part(const Mat3<double>& m, CellShape shape) {
  if (shape == CellShape::isotropic) return multiple_of_unit(trace(m) / 3);
  if (shape == CellShape::anisotropic)
    return {{{m.row[0].x, 0, 0}, {0, m.row[1].y, 0}, {0, 0, m.row[2].z}}};
  return m;
}

/// y -> A y + B f, the solution of a linear equation dy/dt = M y + f for constant M and f.
struct AffineStep {
  Mat3<double> A, B;

  LARMOR_INLINE Vec3<double> operator()(const Vec3<double>& y, const Vec3<double>& f) const {
    return A * y + B * f;
  }
};

/// Norm of M t up to which `affine_step` is accurate to rounding errors.
inline constexpr double largest_affine_step = 0.25;

/// The solution y(t) of dy/dt = M y + f, with A = exp(M t) and B = t (exp(M t) - 1) / (M t) from
/// their series.
LARMOR_INLINE AffineStep affine_step(const Mat3<double>& M, double t) {
  constexpr int terms = 12;
  const Mat3<double> x = t * M, unit = multiple_of_unit(1);
  // Horner's scheme: B / t = 1 + x / 2 (1 + x / 3 (1 + ...)), A = 1 + x B / t.
  Mat3<double> sum = unit;
  for (int k = terms; k > 1; --k) sum = unit + (1.0 / k) * product(x, sum);
  return {unit + product(x, sum), t * sum};
}

}  // namespace larmor::atoms
