#pragma once
// Substeps of the integrators of atoms, for one atom. Each integrator gives the equation that its
// step solves. Times are in ps, masses in eV ps^2/Angstrom^2.

#include "larmor/core/maths/vec3.hpp"

namespace larmor::atoms {

/// dv/dt = F / m.
LARMOR_INLINE Vec3<double> kicked(const Vec3<double>& v, const Vec3<double>& force, double mass,
                                  double time) {
  return v + (time / mass) * force;
}

/// dr/dt = v.
LARMOR_INLINE Vec3<double> drifted(const Vec3<double>& r, const Vec3<double>& v, double time) {
  return r + time * v;
}

/// y -> A y + B f, the solution of a linear equation dy/dt = M y + f for constant M and f.
struct AffineStep {
  Mat3<double> A, B;

  LARMOR_INLINE Vec3<double> operator()(const Vec3<double>& y, const Vec3<double>& f) const {
    return A * y + B * f;
  }
};

}  // namespace larmor::atoms
