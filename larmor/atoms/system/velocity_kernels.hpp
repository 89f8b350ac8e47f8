#pragma once
// Kernels for one atom: terms of sums over velocities, changes of velocities, random velocities.

#include <array>

#include "larmor/atoms/system/atom_state.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

/// m v^2 / 2.
struct KineticEnergyTerm {
  VelocitiesView atoms;

  LARMOR_INLINE std::array<double, 1> operator()(Index atom) const {
    const Vec3<double>& v = atoms.velocity[atom];
    return {0.5 * atoms.mass(atom) * dot(v, v)};
  }
};

/// m v (x) v.
struct KineticStressTerm {
  VelocitiesView atoms;

  LARMOR_INLINE SymmetricTensor operator()(Index atom) const {
    const Vec3<double>& v = atoms.velocity[atom];
    const Vec3<double> p = atoms.mass(atom) * v;
    return {p.x * v.x, p.y * v.y, p.z * v.z, p.x * v.y, p.x * v.z, p.y * v.z};
  }
};

/// m v and m.
struct MotionTerm {
  VelocitiesView atoms;

  LARMOR_INLINE std::array<double, 4> operator()(Index atom) const {
    const double m = atoms.mass(atom);
    const Vec3<double> p = m * atoms.velocity[atom];
    return {p.x, p.y, p.z, m};
  }
};

struct ScaleVelocity {
  Vec3<double>* velocity;
  const double* factor;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index atom) const {
    velocity[atom] = factor[replica] * velocity[atom];
  }
};

struct StopCentreOfMass {
  Vec3<double>* velocity;
  const std::array<double, 4>* motion;  ///< sums of MotionTerm [replicas]

  LARMOR_INLINE void operator()(Index replica, Index atom) const {
    const std::array<double, 4>& sum = motion[replica];
    velocity[atom] = velocity[atom] - (1 / sum[3]) * Vec3<double>{sum[0], sum[1], sum[2]};
  }
};

/// A velocity from the Maxwell-Boltzmann distribution.
struct DrawVelocity {
  AtomsView atoms;
  const double* temperature;  ///< K [replicas]
  double k_B;
  RandomKeys keys;

  LARMOR_INLINE void operator()(Index replica, Index atom) const {
    const double kT = k_B * temperature[replica];
    const auto site = static_cast<std::uint64_t>(atom - atoms.layout.first[replica]);
    atoms.velocity[atom] = square_root(kT / atoms.mass(atom)) *
                           normal_vector<double>(philox(keys(replica), site, std::uint64_t{0}));
  }
};

}  // namespace larmor::atoms
