#pragma once
// The heat baths of replicas, and the base classes of all thermostats.

#include <tuple>

#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/ramp.hpp"
#include "larmor/core/maths/philox.hpp"

namespace larmor::atoms {

struct HeatBath {
  std::vector<Ramp> temperature;  ///< temperature of each replica, K
  std::vector<double> time;       ///< relaxation time of each replica, ps
  bool is_coupled = true;         ///< false: the temperature only sets the mass of a box
};

/// The targets of a thermostat in one step, for kernels.
struct HeatBathView {
  const Ramp* temperature;  ///< K [replicas]
  const double* time;       ///< ps [replicas]
  double k_B;
  Index step;

  /// k_B T of the step that begins now, eV.
  LARMOR_INLINE double thermal_energy(Index replica) const {
    return k_B * temperature[replica].at(step);
  }
};

/// Dynamics with a heat bath for each replica.
class ThermostattedIntegrator : public Integrator {
 public:
  /// Functors of the loops over atoms and replicas, which are compiled for GPUs. A thermostat
  /// replaces these lists by its own lists.
  using AtomKernels = std::tuple<>;
  using ReplicaKernels = std::tuple<>;
  /// Does the thermostat refuse a temperature of 0?
  static constexpr bool needs_positive_temperature = false;

  /// @throws InputError for a temperature that is negative, or a time that is not positive
  ThermostattedIntegrator(double timestep, const HeatBath& bath, int threads);

  /// Sets the targets of the next steps. Velocities do not change.
  /// @param temperature temperature of each replica, K, not negative [replicas]
  void set_temperatures(std::vector<Ramp> temperature);

 protected:
  void require(const AtomState& state) const override;

  /// The targets of the step that begins now. @param device device of the pointers in the view
  HeatBathView heat_bath(const AtomState& state, const Device& device) const;

 private:
  ConstantArray<Ramp> temperature_;
  ConstantArray<double> time_;
};

/// A thermostat that changes velocities abruptly, by random numbers with the keys of the state. The
/// energy of atoms minus the
/// heat of these changes is conserved.
class StochasticThermostat : public ThermostattedIntegrator {
 public:
  StochasticThermostat(double timestep, const HeatBath& bath, int threads);

  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  /// Heat of each replica, on the device of the atoms, eV [replicas].
  double* heat() { return heat_.data(); }

 private:
  StateOfReplicas<double> heat_;
};

/// Adds a change of the kinetic energies to the heat.
struct AddHeat {
  const std::array<double, 1>*before, *after;  ///< kinetic energies [replicas]
  double* heat;

  LARMOR_INLINE void operator()(Index replica) const {
    heat[replica] += after[replica][0] - before[replica][0];
  }
};

}  // namespace larmor::atoms
