#include "larmor/atoms/system/thermodynamics.hpp"

#include "larmor/atoms/system/velocity_kernels.hpp"

namespace larmor::atoms {

std::vector<double> kinetic_energies(const AtomState& state, int threads) {
  ReplicaSums<1> sums;
  sum_kinetic_energies(state, threads, sums);
  std::vector<double> energies;
  for (const auto& [energy] : sums.to_host()) energies.push_back(energy);
  return energies;
}

void sum_kinetic_energies(const AtomState& state, int threads, ReplicaSums<1>& energies) {
  sum_replicas<1>(state, threads, KineticEnergyTerm{state.velocities()}, energies);
}

double temperature(const AtomState& state, Index replica, double kinetic_energy) {
  const Index freedom = degrees_of_freedom(state.layout.atoms_of(replica));
  if (freedom == 0) return 0;
  return 2 * kinetic_energy / (static_cast<double>(freedom) * state.units.k_B);
}

std::vector<TotalMotion> total_motions(const AtomState& state, int threads) {
  ReplicaSums<4> sums;
  sum_replicas<4>(state, threads, MotionTerm{state.velocities()}, sums);
  std::vector<TotalMotion> motions;
  for (const auto& [x, y, z, mass] : sums.to_host()) motions.push_back({{x, y, z}, mass});
  return motions;
}

std::vector<SymmetricTensor> kinetic_stresses(const AtomState& state, int threads) {
  ReplicaSums<6> sums;
  sum_kinetic_stresses(state, threads, sums);
  return sums.to_host();
}

void sum_kinetic_stresses(const AtomState& state, int threads, ReplicaSums<6>& stresses) {
  sum_replicas<6>(state, threads, KineticStressTerm{state.velocities()}, stresses);
}

SymmetricTensor pressure(const AtomState& state, Index replica, const SymmetricTensor& kinetic) {
  const auto r = static_cast<std::size_t>(replica);
  return pressure(state.box[r], kinetic, state.virial[r]);
}

void scale_velocities(AtomState& state, std::span<const double> factor, int threads) {
  scale_velocities(state, AtomArray<double>(state.device, factor), threads);
}

void scale_velocities(AtomState& state, const AtomArray<double>& factor, int threads) {
  for_each_atom(state, threads, ScaleVelocity{state.velocity.data(), factor.data()});
}

void stop_centre_of_mass(AtomState& state, int threads) {
  ReplicaSums<4> motion;
  stop_centre_of_mass(state, threads, motion);
}

void stop_centre_of_mass(AtomState& state, int threads, ReplicaSums<4>& work) {
  sum_replicas<4>(state, threads, MotionTerm{state.velocities()}, work);
  for_each_atom(state, threads, StopCentreOfMass{state.velocity.data(), work.data()});
}

}  // namespace larmor::atoms
