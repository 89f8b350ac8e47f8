#pragma once
// Kernels of stochastic cell rescaling for the box of a replica and for one atom.

#include "larmor/atoms/integrators/cell_noise.hpp"
#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/integrators/pressure_bath_view.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"

namespace larmor::atoms {

/// The strain of a replica, and its virial and volume before the strain.
struct CellStrain {
  Mat3<double> e, grown, slowed;  ///< exp(e), exp(-e)
  SymmetricTensor virial;
  double volume;
};

struct ChooseStrain {
  AtomsView atoms;
  HeatBathView heat;
  PressureBathView bath;
  double timestep, compressibility;
  RandomKey key;
  const SymmetricTensor* kinetic;  ///< sum m v (x) v [replicas]
  CellStrain* strain;              ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const Box& box = atoms.box[replica];
    const double response = compressibility * timestep / (3 * bath.time[replica]);
    const Mat3<double> excess = matrix_of(pressure(box, kinetic[replica], atoms.virial[replica])) +
                                multiple_of_unit(-bath.pressure(replica));
    const double spread = square_root(2 * heat.thermal_energy(replica) * response / box.volume());
    const Mat3<double> e = allowed_part(
        response * excess + spread * symmetric_noise(key, static_cast<std::uint64_t>(replica)),
        bath.shape);
    require_small_strain(atoms.fault, replica, e);
    strain[replica] = {e, affine_step(e, 1).A, affine_step(e, -1).A, atoms.virial[replica],
                       box.volume()};
  }
};

struct StrainAtom {
  Vec3<double>*position, *velocity;
  const CellStrain* strain;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica, Index i) const {
    position[i] = strain[replica].grown * position[i];
    velocity[i] = strain[replica].slowed * velocity[i];
  }
};

struct StrainBox {
  Box* box;
  const CellStrain* strain;  ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    deform(box[replica], strain[replica].grown);
  }
};

/// Adds the work on the box, with the mean of its pressures before and after a step.
struct AddWorkOfStrain {
  AtomsView atoms;
  PressureBathView bath;
  const CellStrain* strain;                    ///< [replicas]
  const std::array<double, 1>*before, *after;  ///< kinetic energies [replicas]
  double* heat;                                ///< [replicas]

  LARMOR_INLINE void operator()(Index replica) const {
    const CellStrain& s = strain[replica];
    const double P = bath.pressure(replica);
    const double of_virial =
        0.5 * trace(product(matrix_of(s.virial) + matrix_of(atoms.virial[replica]), s.e));
    heat[replica] += after[replica][0] - before[replica][0] - of_virial +
                     P * (atoms.box[replica].volume() - s.volume);
  }
};

}  // namespace larmor::atoms
