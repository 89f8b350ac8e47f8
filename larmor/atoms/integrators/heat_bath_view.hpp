#pragma once
// The targets of a thermostat in one step, for kernels.

#include "larmor/atoms/integrators/ramp.hpp"
#include "larmor/core/maths/isa.hpp"

namespace larmor::atoms {

struct HeatBathView {
  const Ramp* temperature;  ///< K [replicas]
  const double* time;       ///< ps [replicas]
  double k_B;
  Index step;
  int links;  ///< links of a Nose-Hoover chain

  /// k_B T of the step that begins now, eV.
  LARMOR_INLINE double thermal_energy(Index replica) const {
    return k_B * temperature[replica].at(step);
  }
};

}  // namespace larmor::atoms
