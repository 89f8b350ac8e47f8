#include "larmor/atoms/integrators/cell_rescaling.hpp"

#include <cmath>

#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

CellRescaling::CellRescaling(double timestep, const HeatBath& heat, const PressureBath& pressure,
                             double compressibility, std::uint64_t seed, int threads)
    : Bussi(timestep, heat, seed, threads), bath_(pressure), compressibility_(compressibility) {
  if (!(compressibility > 0) || !std::isfinite(compressibility))
    throw InputError("the compressibility of a barostat is " + number_text(compressibility),
                     "give a positive number, about one over the bulk modulus");
}

void CellRescaling::require(const AtomState& state) const {
  Bussi::require(state);
  bath_.require(state);
}

std::vector<double> CellRescaling::conserved(const AtomState& state) const {
  std::vector<double> conserved = Bussi::conserved(state);
  const PressureBathView bath = bath_.view(state, {});
  const std::vector<Box> boxes = state.box.to_host();
  for (std::size_t r = 0; r < conserved.size(); ++r)
    conserved[r] += bath.pressure(static_cast<Index>(r)) * boxes[r].volume();
  return conserved;
}

void CellRescaling::step(AtomState& state, ForceField& field) {
  kick_and_drift(state, timestep() / 2, timestep());
  strain(state);
  field.evaluate(state);
  for_each_replica(state, AddWorkOfStrain{state.view(), bath_.view(state, state.device),
                                          strains_.data(), before_.data(), after_.data(), heat()});
  kick(state, timestep() / 2);
  rescale(state);
}

/// Strains all boxes, from the current velocities and virials.
void CellRescaling::strain(AtomState& state) {
  const RandomKey key{seed(), state.step, Stream::cell_noise, state.layout.first_replica()};
  sum_kinetic_stresses(state, threads(), kinetic_);
  sum_kinetic_energies(state, threads(), before_);
  strains_.resize(state.device, state.layout.replicas());
  for_each_replica(state, ChooseStrain{state.view(), heat_bath(state, state.device),
                                       bath_.view(state, state.device), timestep(),
                                       compressibility_, key, kinetic_.data(), strains_.data()});
  throw_fault_of_cpu(state);
  for_each_atom(state, threads(),
                StrainAtom{state.position.data(), state.velocity.data(), strains_.data()});
  for_each_replica(state, StrainBox{state.box.data(), strains_.data()});
  sum_kinetic_energies(state, threads(), after_);
}

}  // namespace larmor::atoms
