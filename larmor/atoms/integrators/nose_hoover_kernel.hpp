#pragma once
// Kernels of Nose-Hoover chains for the atoms of a replica.

#include <array>

#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/integrators/nose_hoover_chain.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

LARMOR_INLINE ChainTarget atoms_target(const HeatBathView& bath, Index atoms, Index replica) {
  return {static_cast<double>(degrees_of_freedom(atoms)), bath.thermal_energy(replica),
          bath.time[replica], bath.links};
}

struct MoveChain {
  LayoutView layout;
  HeatBathView bath;
  double duration;
  const std::array<double, 1>* kinetic;  ///< [replicas]
  NoseHooverChain* chain;                ///< [replicas]
  double* factor;                        ///< factor for the velocities [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    factor[replica] = move_chain(chain[replica], 2 * kinetic[replica][0],
                                 atoms_target(bath, layout.atoms_of(replica), replica), duration);
  }
};

}  // namespace larmor::atoms
