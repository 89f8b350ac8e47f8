#pragma once
// The pieces of motion.hpp, for the atoms of a state.

#include "larmor/atoms/integrators/motion.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

LARMOR_INLINE bool is_finite(double x) { return x - x == 0; }

/// A force that is not finite is a fault, and so is such an energy of its replica.
struct RequireFinite {
  AtomsView atoms;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    const Vec3<double>& F = atoms.force[i];
    if (!is_finite(F.x) || !is_finite(F.y) || !is_finite(F.z) || !is_finite(atoms.energy[replica]))
      atoms.fault.raise(Fault::not_finite, replica);
  }
};

/// By a force that must be finite: whoever reads it for a kick looks, at no cost.
struct Kick {
  AtomsView atoms;
  double time;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    RequireFinite{atoms}(replica, i);
    atoms.velocity[i] = kicked(atoms.velocity[i], atoms.force[i], atoms.mass(i), time);
  }
};

struct Drift {
  Vec3<double>* position;
  const Vec3<double>* velocity;
  double time;

  LARMOR_INLINE void operator()(Index, Index i) const {
    position[i] = drifted(position[i], velocity[i], time);
  }
};

/// Both in one pass over the atoms.
struct KickAndDrift {
  Kick kick;
  Drift drift;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    kick(replica, i);
    drift(replica, i);
  }
};

}  // namespace larmor::atoms
