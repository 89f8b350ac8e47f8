#pragma once
// Conversion between the matrix A_ij of a bond and the numbers of a bond class: (J), (J, D) or all
// nine entries of A. Host code.

#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// J times the identity.
inline Mat3<double> isotropic(double J) { return {{{J, 0, 0}, {0, J, 0}, {0, 0, J}}}; }

/// The matrix of D.(e_i x e_j) = e_i^T A e_j.
inline Mat3<double> antisymmetric(const Vec3<double>& D) {
  // Column k of the matrix is its product with unit vector k.
  const Mat3<double> columns{
      {dmi_field(D, {1, 0, 0}), dmi_field(D, {0, 1, 0}), dmi_field(D, {0, 0, 1})}};
  return columns.transposed();
}

/// The vector D of a matrix that is the sum of a diagonal matrix and antisymmetric(D).
inline Vec3<double> dmi_vector(const Mat3<double>& A) {
  const Mat3<double> sign = antisymmetric({1, 1, 1});
  return {sign.row[1].z * A.row[1].z, sign.row[2].x * A.row[2].x, sign.row[0].y * A.row[0].y};
}

/// Adds the numbers of A that the bond class needs to `numbers`.
inline void add_numbers(BondClass c, const Mat3<double>& A, double* numbers) {
  const Vec3<double>* r = A.row;
  if (c == BondClass::tensor) {
    for (int i = 0; i < 3; ++i) {
      numbers[3 * i] += r[i].x;
      numbers[3 * i + 1] += r[i].y;
      numbers[3 * i + 2] += r[i].z;
    }
    return;
  }
  numbers[0] += r[0].x;
  if (c == BondClass::scalar) return;
  const Vec3<double> D = dmi_vector(A);
  numbers[1] += D.x;
  numbers[2] += D.y;
  numbers[3] += D.z;
}

/// The matrix with these numbers.
inline Mat3<double> matrix_of(BondClass c, const double* a) {
  switch (c) {
    case BondClass::scalar:
      return isotropic(a[0]);
    case BondClass::vector:
      return isotropic(a[0]) + antisymmetric({a[1], a[2], a[3]});
    default:
      return {{{a[0], a[1], a[2]}, {a[3], a[4], a[5]}, {a[6], a[7], a[8]}}};
  }
}

}  // namespace larmor::spins
