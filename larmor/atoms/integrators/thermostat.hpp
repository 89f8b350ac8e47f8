#pragma once
// What thermostats have in common.

#include "larmor/atoms/integrators/integrator.hpp"
#include "larmor/atoms/integrators/ramp.hpp"

namespace larmor::atoms {

struct HeatBath {
  std::vector<Ramp> temperature;  ///< of each replica, K
  std::vector<double> time;       ///< of each replica, ps: in which its atoms forget
};

/// Dynamics with a heat bath for each replica.
class ThermostattedIntegrator : public Integrator {
 public:
  /// @throws InputError for a temperature that is negative, or a time that is not positive
  ThermostattedIntegrator(double timestep, const HeatBath& bath, int threads);

 protected:
  void require(const AtomState& state) const override;

  /// k_B T of the step that begins now, eV.
  double thermal_energy(const AtomState& state, Index replica) const;
  /// ps.
  double time(Index replica) const { return bath_.time[static_cast<std::size_t>(replica)]; }

 private:
  HeatBath bath_;
};

/// Thermostats that change velocities at once: the energy without the heat that these changes have
/// brought in is conserved.
class StochasticThermostat : public ThermostattedIntegrator {
 public:
  StochasticThermostat(double timestep, const HeatBath& bath, std::uint64_t seed, int threads);

  std::vector<double> conserved(const AtomState& state) const override;
  std::vector<double> save() const override { return heat_; }
  void load(std::span<const double> saved) override { heat_.assign(saved.begin(), saved.end()); }

 protected:
  std::uint64_t seed() const { return seed_; }
  void add_heat(Index replica, double heat) { heat_[static_cast<std::size_t>(replica)] += heat; }

 private:
  std::uint64_t seed_;
  std::vector<double> heat_;  ///< eV [replicas]
};

}  // namespace larmor::atoms
