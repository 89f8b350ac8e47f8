#pragma once
// Products and inverses of 3x3 matrices of doubles.

#include "larmor/core/maths/vec3.hpp"

namespace larmor::symmetry {

inline constexpr Mat3<double> identity{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

inline Mat3<double> product(const Mat3<double>& a, const Mat3<double>& b) {
  const Mat3<double> columns = b.transposed();
  Mat3<double> rows{};
  for (int i = 0; i < 3; ++i) rows.row[i] = columns * a.row[i];
  return rows;
}

inline double determinant(const Mat3<double>& m) {
  return dot(m.row[0], cross(m.row[1], m.row[2]));
}

inline double trace(const Mat3<double>& m) { return m.row[0].x + m.row[1].y + m.row[2].z; }

inline Mat3<double> inverse(const Mat3<double>& m) {
  const double scale = 1 / determinant(m);
  const Mat3<double> columns{{scale * cross(m.row[1], m.row[2]), scale * cross(m.row[2], m.row[0]),
                              scale * cross(m.row[0], m.row[1])}};
  return columns.transposed();
}

inline double distance(const Mat3<double>& a, const Mat3<double>& b) {
  return frobenius_norm(a + -1.0 * b);
}

/// R A R^T
inline Mat3<double> conjugated(const Mat3<double>& rotation, const Mat3<double>& matrix) {
  return product(product(rotation, matrix), rotation.transposed());
}

}  // namespace larmor::symmetry
