#include "larmor/atoms/integrators/pressure_bath.hpp"

#include <cmath>

#include "larmor/core/error.hpp"

namespace larmor::atoms {

PressureBath::PressureBath(CellShape shape, std::vector<Ramp> pressure, std::vector<double> time,
                           double GPa)
    : shape_(shape), pressure_(std::move(pressure)), time_(std::move(time)), GPa_(GPa) {
  for (const double tau : time_.host())
    if (!(tau > 0))
      throw InputError("the relaxation time of a barostat is " + number_text(tau) + " ps",
                       "give a positive time, usually 1000 timesteps or more");
  for (const Ramp& ramp : pressure_.host())
    for (const double P : {ramp.begin, ramp.end})
      if (!std::isfinite(P))
        throw InputError("the pressure of a barostat is " + number_text(P), "give a finite number");
}

void PressureBath::require(const AtomState& state) const {
  const auto needed = static_cast<std::size_t>(state.layout.replicas());
  if (pressure_.host().size() != needed || time_.host().size() != needed)
    throw InternalError("a barostat needs a pressure and a time for each replica");
  for (const Box& box : state.box.to_host())
    if (box.periodic != std::array{true, true, true})
      throw InputError("a barostat needs boxes that are periodic in all directions",
                       "leave the barostat out if a box is open");
}

PressureBathView PressureBath::view(const AtomState& state, const Device& device) const {
  return {shape_, pressure_.data_on(device), time_.data_on(device),
          static_cast<Index>(static_cast<std::uint64_t>(state.step))};
}

}  // namespace larmor::atoms
