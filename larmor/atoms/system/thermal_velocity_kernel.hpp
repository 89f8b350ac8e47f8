#pragma once
// A velocity from the Maxwell-Boltzmann distribution, for one atom.

#include "larmor/atoms/system/atom_state.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

struct DrawVelocity {
  AtomsView atoms;
  const double* temperature;  ///< K [replicas]
  double k_B;
  RandomKey key;

  LARMOR_INLINE void operator()(Index replica, Index atom) const {
    const double kT = k_B * temperature[replica];
    const auto site = static_cast<std::uint64_t>(atom - atoms.layout.first[replica]);
    atoms.velocity[atom] =
        square_root(kT / atoms.mass(atom)) *
        normal_vector<double>(philox(key, site, static_cast<std::uint64_t>(replica)));
  }
};

}  // namespace larmor::atoms
