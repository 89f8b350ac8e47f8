#pragma once
// The target pressures and response times that all barostats use.

#include "larmor/atoms/integrators/cell_motion.hpp"
#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/pressure_bath_view.hpp"

namespace larmor::atoms {

/// A pressure bath: the box of every replica follows its own target pressure.
class PressureBath {
 public:
  /// @param pressure target of each replica, eV/Angstrom^3
  /// @param time response time tau of each box, ps
  /// @throws InputError for a pressure that is not finite, or a time that is not positive
  PressureBath(CellShape shape, std::vector<Ramp> pressure, std::vector<double> time);

  /// @throws InputError unless all boxes are periodic in all directions
  void require(const AtomState& state) const;

  std::size_t replicas() const { return pressure_.host().size(); }
  /// The targets of the step that begins now. @param device device of the pointers in the view
  PressureBathView view(const AtomState& state, const Device& device) const;

 private:
  CellShape shape_;
  ConstantArray<Ramp> pressure_;
  ConstantArray<double> time_;
};

}  // namespace larmor::atoms
