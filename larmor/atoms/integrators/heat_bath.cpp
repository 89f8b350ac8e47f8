#include "larmor/atoms/integrators/heat_bath.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::atoms {

ThermostattedIntegrator::ThermostattedIntegrator(double timestep, const HeatBath& bath, int threads)
    : Integrator(timestep, threads), temperature_(bath.temperature), time_(bath.time) {
  for (const Ramp& ramp : bath.temperature)
    for (const double T : {ramp.begin, ramp.end})
      if (!(T >= 0) || !std::isfinite(T))
        throw InputError("the temperature of a thermostat is " + number_text(T),
                         "give a finite number of 0 or more");
  for (const double time : bath.time)
    if (!(time > 0))
      throw InputError("the relaxation time of a thermostat is " + number_text(time) + " ps",
                       "give a positive time, usually 100 timesteps or more");
}

void ThermostattedIntegrator::set_temperatures(std::vector<Ramp> temperature) {
  if (temperature.size() != temperature_.host().size())
    throw InternalError("a thermostat needs a temperature for each replica");
  temperature_ = ConstantArray<Ramp>(std::move(temperature));
}

void ThermostattedIntegrator::require(const AtomState& state) const {
  const auto replicas = static_cast<std::size_t>(state.layout.replicas());
  if (temperature_.host().size() != replicas || time_.host().size() != replicas)
    throw InternalError("a thermostat needs a temperature and a time for each replica");
  require_rest(state, threads());
}

HeatBathView ThermostattedIntegrator::heat_bath(const AtomState& state,
                                                const Device& device) const {
  return {temperature_.data_on(device), time_.data_on(device), state.units.k_B,
          static_cast<Index>(static_cast<std::uint64_t>(state.step))};
}

StochasticThermostat::StochasticThermostat(double timestep, const HeatBath& bath, int threads)
    : ThermostattedIntegrator(timestep, bath, threads), heat_(bath.temperature.size()) {
  add_state(heat_);
}

std::vector<double> StochasticThermostat::conserved(const AtomState& state) const {
  std::vector<double> conserved = energies(state);
  const std::vector<double> heat = heat_.to_host();
  for (std::size_t r = 0; r < conserved.size(); ++r) conserved[r] -= heat[r];
  return conserved;
}

}  // namespace larmor::atoms
