#pragma once
// The measurements of stages of spins: a list for dynamics, a list for stages that sample.

#include <functional>

#include "larmor/study/measurements/measurement.hpp"
#include "larmor/study/measurements/measurement_types.hpp"
#include "larmor/study/models/spins/system/spin_simulation.hpp"

namespace larmor::study {

/// Properties of a dynamics stage that its measurements receive.
struct DynamicsContext : MeasureContext {
  double timestep = 0;
  double temperature = 0;  ///< temperature of the heat bath; 0: none
  bool has_pulses = false;
  /// B of all pulses together. @param time since the stage began
  std::function<Vec3<double>(double time)> pulse_field;
  /// Upper bound of the angular frequency of any spin, in the fields of the model, pulses and
  /// torques.
  std::function<double(const SpinSimulation&)> fastest_precession;

  Index samples(Index of_every) const { return steps / of_every + 1; }
};

/// For measurements of only the Hamiltonian's fields. @throws InputError at `where`
void require_no_pulses(const std::string& name, const DynamicsContext& course,
                       const SourcePosition& where);

const MeasureList<DynamicsContext>& measured_by_dynamics();
const MeasureList<MeasureContext>& measured_by_sampling();

}  // namespace larmor::study
