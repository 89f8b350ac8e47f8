#pragma once
// What barostats have in common.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/ramp.hpp"

namespace larmor::atoms {

/// The box of every replica follows a pressure of its own.
class PressureBath {
 public:
  /// @param pressure of each replica, eV/Angstrom^3
  /// @param time of each replica, ps: tau, in which its box responds
  /// @throws InputError for a pressure that is not finite, or a time that is not positive
  PressureBath(CellShape shape, std::vector<Ramp> pressure, std::vector<double> time);

  /// @throws InputError unless all boxes are periodic in all directions
  void require(const AtomState& state) const;

  Index replicas() const { return static_cast<Index>(pressure_.size()); }
  CellShape shape() const { return shape_; }
  double time(Index replica) const { return time_[static_cast<std::size_t>(replica)]; }
  /// Of the step that begins now, eV/Angstrom^3.
  double pressure(const AtomState& state, Index replica) const;

 private:
  CellShape shape_;
  std::vector<Ramp> pressure_;
  std::vector<double> time_;
};

Mat3<double> matrix_of(const SymmetricTensor& tensor);

/// The strain of one step, small enough for `affine_step`.
/// @throws UnphysicalError that names replica and step
void require_small_strain(const AtomState& state, Index replica, const Mat3<double>& strain);

}  // namespace larmor::atoms
