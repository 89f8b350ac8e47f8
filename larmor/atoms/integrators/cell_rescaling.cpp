#include "larmor/atoms/integrators/cell_rescaling.hpp"

#include <cmath>

#include "larmor/atoms/integrators/cell_noise.hpp"
#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"
#include "larmor/core/error.hpp"

namespace larmor::atoms {

CellRescaling::CellRescaling(double timestep, const HeatBath& heat, const PressureBath& pressure,
                             double compressibility, std::uint64_t seed, int threads)
    : VelocityRescaling(timestep, heat, seed, threads),
      bath_(pressure),
      compressibility_(compressibility) {
  if (!(compressibility > 0) || !std::isfinite(compressibility))
    throw InputError("the compressibility of a barostat is " + number_text(compressibility),
                     "it is a positive number, about one over the bulk modulus");
}

void CellRescaling::require(const AtomState& state) const {
  VelocityRescaling::require(state);
  bath_.require(state);
}

std::vector<double> CellRescaling::conserved(const AtomState& state) const {
  std::vector<double> conserved = VelocityRescaling::conserved(state);
  for (std::size_t r = 0; r < conserved.size(); ++r)
    conserved[r] += bath_.pressure(state, static_cast<Index>(r)) * state.box[r].volume();
  return conserved;
}

void CellRescaling::step(AtomState& state, ForceField& field) {
  kick(state, timestep() / 2);
  drift(state, timestep());
  const std::vector<Mat3<double>> e = strains(state);
  const std::vector<SymmetricTensor> virial = state.virial;
  const std::vector<double> before = kinetic_energies(state, threads());
  const std::vector<Box> box = state.box;
  strain(state, e);
  const std::vector<double> after = kinetic_energies(state, threads());
  evaluate(state, field);
  for (std::size_t r = 0; r < e.size(); ++r) {
    const auto replica = static_cast<Index>(r);
    const double P = bath_.pressure(state, replica);
    const double of_virial =
        0.5 * trace(product(matrix_of(virial[r]) + matrix_of(state.virial[r]), e[r]));
    add_heat(replica,
             after[r] - before[r] - of_virial + P * (state.box[r].volume() - box[r].volume()));
  }
  kick(state, timestep() / 2);
  rescale(state);
}

/// e of every replica, with the velocities and the virial as they are.
std::vector<Mat3<double>> CellRescaling::strains(const AtomState& state) const {
  const std::vector<SymmetricTensor> kinetic = kinetic_stresses(state, threads());
  const RandomKey key{seed(), state.step, Stream::cell_noise, state.layout.first_replica()};
  std::vector<Mat3<double>> strains;
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    const auto r = static_cast<std::size_t>(replica);
    const double response = compressibility_ * timestep() / (3 * bath_.time(replica));
    const Mat3<double> excess = matrix_of(pressure(state, replica, kinetic[r])) +
                                multiple_of_unit(-bath_.pressure(state, replica));
    const double spread =
        square_root(2 * thermal_energy(state, replica) * response / state.box[r].volume());
    strains.push_back(allowed_part(
        response * excess + spread * symmetric_noise(key, static_cast<std::uint64_t>(replica)),
        bath_.shape()));
    require_small_strain(state, replica, strains.back());
  }
  return strains;
}

void CellRescaling::strain(AtomState& state, std::span<const Mat3<double>> strains) const {
  std::vector<Mat3<double>> grown, slowed;
  for (const Mat3<double>& e : strains) {
    grown.push_back(affine_step(e, 1).A);
    slowed.push_back(affine_step(e, -1).A);
  }
  for_each_atom(state.layout, threads(), [&](Index replica, Index atom) {
    const auto r = static_cast<std::size_t>(replica);
    const auto i = static_cast<std::size_t>(atom);
    state.position[i] = grown[r] * state.position[i];
    state.velocity[i] = slowed[r] * state.velocity[i];
  });
  for (std::size_t r = 0; r < grown.size(); ++r)
    for (Vec3<double>& v : state.box[r].vectors) v = grown[r] * v;
}

}  // namespace larmor::atoms
