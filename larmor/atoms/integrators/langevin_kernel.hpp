#pragma once
// Friction and noise of Langevin dynamics, for one atom.

#include <array>

#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/system/atom_state.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {

/// The velocity of one atom after the exact step of friction and noise.
/// @param kept exp(-time / tau)
LARMOR_INLINE Vec3<double> fluctuated(const Vec3<double>& v, double kept, double thermal_energy,
                                      double mass, const RandomKey& key, std::uint64_t atom,
                                      std::uint64_t replica) {
  const double spread = square_root((1 - kept * kept) * thermal_energy / mass);
  return kept * v + spread * normal_vector<double>(philox(key, atom, replica));
}

struct KeptVelocity {
  HeatBathView bath;
  double timestep;
  double* kept;  ///< exp(-timestep / tau) [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    kept[replica] = exponential(-timestep / bath.time[replica]);
  }
};

struct Fluctuate {
  AtomsView atoms;
  HeatBathView bath;
  RandomKey key;
  const double* kept;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index atom) const {
    Vec3<double>& v = atoms.velocity[atom];
    v = fluctuated(v, kept[replica], bath.thermal_energy(replica), atoms.mass(atom), key,
                   static_cast<std::uint64_t>(atom - atoms.layout.first[replica]),
                   static_cast<std::uint64_t>(replica));
  }
};

struct AddHeat {
  const std::array<double, 1>*before, *after;  ///< kinetic energies [replicas]
  double* heat;

  LARMOR_INLINE void operator()(Index replica) const {
    heat[replica] += after[replica][0] - before[replica][0];
  }
};

}  // namespace larmor::atoms
