#pragma once
// The kernel that computes the velocity factor of a replica.

#include <array>

#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/integrators/kinetic_energy_noise.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

struct ChooseRescaling {
  LayoutView layout;
  HeatBathView bath;
  double timestep;
  RandomKey key;
  const std::array<double, 1>* kinetic;  ///< [replicas]
  double* factor;                        ///< factor for the velocities [replicas]
  double* heat;                          ///< increases by the heat of the step [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    factor[replica] = 1;
    const double K = kinetic[replica][0];
    if (!(K > 0)) return;  // Atoms at rest stay at rest.
    const auto freedom = static_cast<double>(degrees_of_freedom(layout.atoms_of(replica)));
    const double scale = rescaling(K, freedom * bath.thermal_energy(replica) / 2, freedom,
                                   exponential(-timestep / bath.time[replica]), key,
                                   static_cast<std::uint64_t>(replica));
    factor[replica] = scale;
    heat[replica] += (scale * scale - 1) * K;
  }
};

}  // namespace larmor::atoms
