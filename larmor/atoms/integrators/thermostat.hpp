#pragma once
// What thermostats have in common.

#include "larmor/atoms/integrators/heat_bath_view.hpp"
#include "larmor/atoms/integrators/integrator.hpp"

namespace larmor::atoms {

struct HeatBath {
  std::vector<Ramp> temperature;  ///< of each replica, K
  std::vector<double> time;       ///< of each replica, ps: in which its atoms forget
  int links = 3;                  ///< of Nose-Hoover chains
};

/// Dynamics with a heat bath for each replica.
class ThermostattedIntegrator : public Integrator {
 public:
  /// @throws InputError for a temperature that is negative, or a time that is not positive
  ThermostattedIntegrator(double timestep, const HeatBath& bath, int threads);

 protected:
  void require(const AtomState& state) const override;

  int links() const { return links_; }
  /// Of the step that begins now. @param device whose memory it points to
  HeatBathView heat_bath(const AtomState& state, const Device& device) const;

 private:
  ConstantArray<Ramp> temperature_;
  ConstantArray<double> time_;
  int links_;
};

/// Thermostats that change velocities at once: the energy without the heat that these changes have
/// brought in is conserved.
class StochasticThermostat : public ThermostattedIntegrator {
 public:
  StochasticThermostat(double timestep, const HeatBath& bath, std::uint64_t seed, int threads);

  std::vector<double> conserved(const AtomState& state) const override;

 protected:
  std::uint64_t seed() const { return seed_; }
  /// Where the atoms are, eV. [replicas]
  double* heat() { return heat_.data(); }

 private:
  std::uint64_t seed_;
  KeptOfReplicas<double> heat_;
};

}  // namespace larmor::atoms
