#pragma once
// Three-vectors and 3x3 matrices over any number-like type (double, float, a SIMD pack).

#include <cmath>

#include "larmor/core/maths/isa.hpp"
#include "larmor/core/maths/scalar_lanes.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

template <class T>
struct Vec3 {
  T x, y, z;

  LARMOR_INLINE friend Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  LARMOR_INLINE friend Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  LARMOR_INLINE friend Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  LARMOR_INLINE friend Vec3 operator*(const T& s, const Vec3& a) {
    return {s * a.x, s * a.y, s * a.z};
  }
  LARMOR_INLINE Vec3& operator+=(const Vec3& b) {
    x = x + b.x;
    y = y + b.y;
    z = z + b.z;
    return *this;
  }
  friend bool operator==(const Vec3&, const Vec3&) = default;
};

template <class T>
LARMOR_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <class T>
LARMOR_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Every component converted to another number type.
template <class To, class From>
LARMOR_INLINE Vec3<To> converted(const Vec3<From>& a) {
  return {converted<To>(a.x), converted<To>(a.y), converted<To>(a.z)};
}

LARMOR_INLINE double length(const Vec3<double>& a) { return std::sqrt(dot(a, a)); }

/// Row-major 3x3 matrix: rows are vectors.
template <class T>
struct Mat3 {
  Vec3<T> row[3];

  LARMOR_INLINE friend Vec3<T> operator*(const Mat3& m, const Vec3<T>& v) {
    return {dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)};
  }
  LARMOR_INLINE friend Mat3 operator+(const Mat3& a, const Mat3& b) {
    return {{a.row[0] + b.row[0], a.row[1] + b.row[1], a.row[2] + b.row[2]}};
  }
  LARMOR_INLINE friend Mat3 operator*(const T& s, const Mat3& m) {
    return {{s * m.row[0], s * m.row[1], s * m.row[2]}};
  }
  LARMOR_INLINE Mat3 transposed() const {
    return {{{row[0].x, row[1].x, row[2].x},
             {row[0].y, row[1].y, row[2].y},
             {row[0].z, row[1].z, row[2].z}}};
  }
  friend bool operator==(const Mat3&, const Mat3&) = default;
};

/// Square root of the sum of all squares.
LARMOR_INLINE double frobenius_norm(const Mat3<double>& m) {
  return std::sqrt(dot(m.row[0], m.row[0]) + dot(m.row[1], m.row[1]) + dot(m.row[2], m.row[2]));
}

inline namespace LARMOR_ISA_NAMESPACE {

/// `v` scaled to length 1.
template <class Real>
LARMOR_INLINE Vec3<Real> normalised(const Vec3<Real>& v) {
  return (Real(1.0) / square_root(dot(v, v))) * v;
}

/// One Newton step towards length 1, for vectors whose length is 1 except for rounding.
template <class Real>
LARMOR_INLINE Vec3<Real> renormalised(const Vec3<Real>& e) {
  return (Real(1.5) - Real(0.5) * dot(e, e)) * e;
}

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor
