#include "larmor/atoms/integrators/barostat.hpp"

#include <cmath>
#include <string>

#include "larmor/core/error.hpp"

namespace larmor::atoms {

PressureBath::PressureBath(CellShape shape, std::vector<Ramp> pressure, std::vector<double> time)
    : shape_(shape), pressure_(std::move(pressure)), time_(std::move(time)) {
  for (const double tau : time_)
    if (!(tau > 0))
      throw InputError("the time of a barostat is " + number_text(tau) + " ps",
                       "it is a positive time, usually 1000 timesteps or more");
  for (const Ramp& ramp : pressure_)
    for (const double P : {ramp.begin, ramp.end})
      if (!std::isfinite(P))
        throw InputError("the pressure of a barostat is " + number_text(P),
                         "a pressure is a finite number");
}

void PressureBath::require(const AtomState& state) const {
  const auto needed = static_cast<std::size_t>(state.layout.replicas());
  if (pressure_.size() != needed || time_.size() != needed)
    throw InternalError("a barostat needs a pressure and a time for each replica");
  for (const Box& box : state.box)
    if (box.periodic != std::array{true, true, true})
      throw InputError("a barostat changes boxes that are periodic in all directions",
                       "keep the volume of a box that is open");
}

double PressureBath::pressure(const AtomState& state, Index replica) const {
  return pressure_[static_cast<std::size_t>(replica)].at(
      static_cast<Index>(static_cast<std::uint64_t>(state.step)));
}

Mat3<double> matrix_of(const SymmetricTensor& t) {
  return {{{t[0], t[3], t[4]}, {t[3], t[1], t[5]}, {t[4], t[5], t[2]}}};
}

void require_small_strain(const AtomState& state, Index replica, const Mat3<double>& strain) {
  if (frobenius_norm(strain) < largest_affine_step) return;
  throw UnphysicalError(
      "the box of replica " +
      std::to_string(state.layout.first_replica() + static_cast<std::uint64_t>(replica)) +
      " changes by more than a quarter in the step " +
      std::to_string(static_cast<std::uint64_t>(state.step)) +
      "; try a longer time of the barostat, or a shorter timestep");
}

}  // namespace larmor::atoms
