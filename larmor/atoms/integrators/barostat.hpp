#pragma once
// What barostats have in common.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/pressure_bath_view.hpp"

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

  std::size_t replicas() const { return pressure_.host().size(); }
  /// Of the step that begins now. @param device whose memory it points to
  PressureBathView view(const AtomState& state, const Device& device) const;

 private:
  CellShape shape_;
  ConstantArray<Ramp> pressure_;
  ConstantArray<double> time_;
};

}  // namespace larmor::atoms
