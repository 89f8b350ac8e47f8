#pragma once
// The heat baths of all thermostats.

#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/integrators/integrator.hpp"

namespace larmor::atoms {

struct HeatBath {
  std::vector<Ramp> temperature;  ///< temperature of each replica, K
  std::vector<double> time;       ///< relaxation time of each replica, ps
  int links = 3;                  ///< links of a Nose-Hoover chain
};

/// Dynamics with a heat bath for each replica.
class ThermostattedIntegrator : public Integrator {
 public:
  /// @throws InputError for a temperature that is negative, or a time that is not positive
  ThermostattedIntegrator(double timestep, const HeatBath& bath, int threads);

 protected:
  void require(const AtomState& state) const override;

  int links() const { return links_; }
  /// The targets of the step that begins now. @param device device of the pointers in the view
  HeatBathView heat_bath(const AtomState& state, const Device& device) const;

 private:
  ConstantArray<Ramp> temperature_;
  ConstantArray<double> time_;
  int links_;
};

/// A thermostat that changes velocities abruptly. The energy minus the heat of these changes is
/// conserved.
class StochasticThermostat : public ThermostattedIntegrator {
 public:
  StochasticThermostat(double timestep, const HeatBath& bath, std::uint64_t seed, int threads);

  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  std::uint64_t seed() const { return seed_; }
  /// Heat of each replica, on the device of the atoms, eV [replicas].
  double* heat() { return heat_.data(); }

 private:
  std::uint64_t seed_;
  KeptOfReplicas<double> heat_;
};

}  // namespace larmor::atoms
