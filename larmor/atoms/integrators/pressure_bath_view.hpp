#pragma once
// The targets of a barostat in one step, and functions of all barostats, for kernels.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/ramp.hpp"
#include "larmor/atoms/system/atom_state.hpp"

namespace larmor::atoms {

struct PressureBathView {
  CellShape shape;
  const Ramp* target;  ///< eV/Angstrom^3 [replicas]
  const double* time;  ///< ps [replicas]
  Index step;

  /// Target of the step that begins now, eV/Angstrom^3.
  LARMOR_INLINE double pressure(Index replica) const { return target[replica].at(step); }
};

LARMOR_INLINE Mat3<double> matrix_of(const SymmetricTensor& t) {
  return {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
}

/// Raises a fault if the strain of one step is too large for `affine_step`.
LARMOR_INLINE void require_small_strain(const FaultFlag& fault, Index replica,
                                        const Mat3<double>& strain) {
  if (!(frobenius_norm(strain) < largest_affine_step)) fault.raise(Fault::large_strain, replica);
}

/// h -> A h.
LARMOR_INLINE void deform(Box& box, const Mat3<double>& A) {
  for (std::size_t d = 0; d < 3; ++d) box.vectors[d] = A * box.vectors[d];
}

}  // namespace larmor::atoms
