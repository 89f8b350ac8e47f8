#pragma once
// Substeps of the integrators for the atoms of a state, as kernels. The comment of a kernel gives
// the equation that its substep solves. Times are in ps, masses in eV ps^2/Angstrom^2.

#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

LARMOR_INLINE bool is_finite(double x) { return x - x == 0; }

/// Raises a fault if a force or the energy of its replica is not finite.
struct RequireFinite {
  AtomsView atoms;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    const Vec3<double>& F = atoms.force[i];
    if (!is_finite(F.x) || !is_finite(F.y) || !is_finite(F.z) || !is_finite(atoms.energy[replica]))
      atoms.fault.raise(Fault::not_finite, replica);
  }
};

/// Solves dv/dt = F / m. Also checks that the force is finite. The check costs nothing, because the
/// kernel reads the force anyway.
struct Kick {
  AtomsView atoms;
  double time;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    RequireFinite{atoms}(replica, i);
    atoms.velocity[i] = atoms.velocity[i] + (time / atoms.mass(i)) * atoms.force[i];
  }
};

/// Solves dr/dt = v.
struct Drift {
  Vec3<double>* position;
  const Vec3<double>* velocity;
  double time;

  LARMOR_INLINE void operator()(Index, Index i) const {
    position[i] = position[i] + time * velocity[i];
  }
};

/// A kick, then a drift, in one loop over the atoms.
struct KickAndDrift {
  Kick kick;
  Drift drift;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    kick(replica, i);
    drift(replica, i);
  }
};

}  // namespace larmor::atoms
