#pragma once
// The target pressures and response times of boxes, and functions that all barostats use.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/ramp.hpp"

namespace larmor::atoms {

/// The targets of a barostat in one step, for kernels.
struct PressureBathView {
  CellShape shape;
  const Ramp* target;  ///< eV/Angstrom^3 [replicas]
  const double* time;  ///< ps [replicas]
  Index step;

  /// Target of the step that begins now, eV/Angstrom^3.
  LARMOR_INLINE double pressure(Index replica) const { return target[replica].at(step); }
};

/// A pressure bath: the box of every replica follows its own target pressure.
class PressureBath {
 public:
  /// @param pressure target of each replica, eV/Angstrom^3
  /// @param time response time tau of each box, ps
  /// @param GPa 1 GPa in eV/Angstrom^3; keys of barostats have the unit GPa
  /// @throws InputError for a pressure that is not finite, or a time that is not positive
  PressureBath(CellShape shape, std::vector<Ramp> pressure, std::vector<double> time,
               double GPa = gigapascal());

  /// @throws InputError unless all boxes are periodic in all directions
  void require(const AtomState& state) const;

  std::size_t replicas() const { return pressure_.host().size(); }
  double GPa() const { return GPa_; }
  /// The targets of the step that begins now. @param device device of the pointers in the view
  PressureBathView view(const AtomState& state, const Device& device) const;

 private:
  CellShape shape_;
  ConstantArray<Ramp> pressure_;
  ConstantArray<double> time_;
  double GPa_;
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
