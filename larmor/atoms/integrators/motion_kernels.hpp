#pragma once
// The pieces of motion.hpp, for the atoms of a state.

#include "larmor/atoms/atom_state.hpp"
#include "larmor/atoms/integrators/motion.hpp"

namespace larmor::atoms {

struct Kick {
  AtomsView atoms;
  double time;

  LARMOR_INLINE void operator()(Index, Index i) const {
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

struct RequireFiniteForce {
  AtomsView atoms;

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    const Vec3<double>& F = atoms.force[i];
    if (!is_finite(F.x) || !is_finite(F.y) || !is_finite(F.z))
      atoms.fault.raise(Fault::not_finite, replica);
  }

  LARMOR_INLINE static bool is_finite(double x) { return x - x == 0; }
};

struct RequireFiniteEnergy {
  AtomsView atoms;

  LARMOR_INLINE void operator()(Index replica) const {
    if (!RequireFiniteForce::is_finite(atoms.energy[replica]))
      atoms.fault.raise(Fault::not_finite, replica);
  }
};

}  // namespace larmor::atoms
