#pragma once
// Kernels of the equations of Martyna, Tobias and Klein, for the box of a replica and for one atom.

#include "larmor/atoms/integrators/motion_kernels.hpp"
#include "larmor/atoms/integrators/nose_hoover_kernel.hpp"
#include "larmor/atoms/integrators/pressure_bath_view.hpp"

namespace larmor::atoms {

/// The baths of atoms and boxes.
struct BoxBathView {
  HeatBathView heat;
  PressureBathView pressure;

  /// M. @param atoms number of atoms of the replica
  LARMOR_INLINE double inertia(Index atoms, Index replica) const {
    const ChainTarget target = atoms_target(heat, atoms, replica);
    const double tau = pressure.time[replica];
    return (target.freedom + 3) * target.thermal_energy * tau * tau / 3;
  }
  LARMOR_INLINE ChainTarget box_target(Index replica) const {
    return {rates_of(pressure.shape), heat.thermal_energy(replica), heat.time[replica], heat.links};
  }
  /// M tr R^2 / 2.
  LARMOR_INLINE double box_energy(const Mat3<double>& rate, Index atoms, Index replica) const {
    return 0.5 * inertia(atoms, replica) * trace(product(rate, rate));
  }
};

LARMOR_INLINE double twice_kinetic_energy(const SymmetricTensor& kinetic) {
  return kinetic[0] + kinetic[1] + kinetic[2];
}

/// Moves the chains of atoms and box.
struct MoveBothChains {
  LayoutView layout;
  BoxBathView baths;
  double duration;
  NoseHooverChain *of_atoms, *of_box;  ///< [replicas]
  Mat3<double>* rate;                  ///< R [replicas]
  SymmetricTensor* kinetic;            ///< sum m v (x) v, updated for the new velocities [replicas]
  double* factor;                      ///< factor for the velocities [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Index atoms = layout.atoms_of(replica);
    const double scale = move_chain(of_atoms[replica], twice_kinetic_energy(kinetic[replica]),
                                    atoms_target(baths.heat, atoms, replica), duration);
    factor[replica] = scale;
    for (std::size_t k = 0; k < 6; ++k) kinetic[replica][k] *= scale * scale;
    rate[replica] = move_chain(of_box[replica], 2 * baths.box_energy(rate[replica], atoms, replica),
                               baths.box_target(replica), duration) *
                    rate[replica];
  }
};

/// Integrates dR/dt.
struct PushBox {
  AtomsView atoms;
  BoxBathView baths;
  double timestep;                 ///< half of it is integrated
  const SymmetricTensor* kinetic;  ///< sum m v (x) v [replicas]
  Mat3<double>* rate;              ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Index count = atoms.layout.atoms_of(replica);
    const double freedom = atoms_target(baths.heat, count, replica).freedom;
    const double unit = twice_kinetic_energy(kinetic[replica]) / freedom -
                        baths.pressure.pressure(replica) * atoms.box[replica].volume();
    const Mat3<double> push =
        matrix_of(kinetic[replica]) + matrix_of(atoms.virial[replica]) + multiple_of_unit(unit);
    rate[replica] = rate[replica] + (timestep / 2 / baths.inertia(count, replica)) *
                                        allowed_part(push, baths.pressure.shape);
    require_small_strain(atoms.fault, replica, timestep * rate[replica]);
  }
};

/// The solution of dv/dt for the velocities.
struct KickOfBox {
  LayoutView layout;
  HeatBathView heat;
  double duration;
  const Mat3<double>* rate;  ///< [replicas]
  AffineStep* step;          ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const double freedom = atoms_target(heat, layout.atoms_of(replica), replica).freedom;
    const Mat3<double> friction = rate[replica] + multiple_of_unit(trace(rate[replica]) / freedom);
    step[replica] = affine_step(-1.0 * friction, duration);
  }
};

struct KickWithBox {
  AtomsView atoms;
  const AffineStep* step;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    RequireFinite{atoms}(replica, i);
    atoms.velocity[i] = step[replica](atoms.velocity[i], (1 / atoms.mass(i)) * atoms.force[i]);
  }
};

/// The solution of dr/dt for the positions. Also moves the box.
struct DriftOfBox {
  double duration;
  const Mat3<double>* rate;  ///< [replicas]
  AffineStep* step;          ///< [replicas]
  Box* box;                  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    step[replica] = affine_step(rate[replica], duration);
    deform(box[replica], step[replica].A);
  }
};

struct DriftWithBox {
  Vec3<double>* position;
  const Vec3<double>* velocity;
  const AffineStep* step;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    position[i] = step[replica](position[i], velocity[i]);
  }
};

}  // namespace larmor::atoms
