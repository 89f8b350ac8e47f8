#include "larmor/atoms/thermodynamics.hpp"

#include "larmor/atoms/replica_sums.hpp"

namespace larmor::atoms {

std::vector<double> kinetic_energies(const AtomState& state, int threads) {
  const auto sums = sums_of_replicas<1>(state.layout, threads, [&](Index atom) {
    const Vec3<double>& v = state.velocity[static_cast<std::size_t>(atom)];
    return std::array{0.5 * state.mass(atom) * dot(v, v)};
  });
  std::vector<double> energies;
  for (const auto& [energy] : sums) energies.push_back(energy);
  return energies;
}

double temperature(const AtomState& state, Index replica, double kinetic_energy) {
  const Index freedom = degrees_of_freedom(state.layout.atoms_of(replica));
  if (freedom == 0) return 0;
  return 2 * kinetic_energy / (static_cast<double>(freedom) * state.units.k_B);
}

std::vector<TotalMotion> total_motions(const AtomState& state, int threads) {
  const auto sums = sums_of_replicas<4>(state.layout, threads, [&](Index atom) {
    const double m = state.mass(atom);
    const Vec3<double> p = m * state.velocity[static_cast<std::size_t>(atom)];
    return std::array{p.x, p.y, p.z, m};
  });
  std::vector<TotalMotion> motions;
  for (const auto& [x, y, z, mass] : sums) motions.push_back({{x, y, z}, mass});
  return motions;
}

std::vector<SymmetricTensor> kinetic_stresses(const AtomState& state, int threads) {
  return sums_of_replicas<6>(state.layout, threads, [&](Index atom) {
    const Vec3<double>& v = state.velocity[static_cast<std::size_t>(atom)];
    const Vec3<double> p = state.mass(atom) * v;
    return SymmetricTensor{p.x * v.x, p.y * v.y, p.z * v.z, p.x * v.y, p.x * v.z, p.y * v.z};
  });
}

SymmetricTensor pressure(const AtomState& state, Index replica, const SymmetricTensor& kinetic) {
  const auto r = static_cast<std::size_t>(replica);
  const double volume = state.box[r].volume();
  SymmetricTensor P;
  for (std::size_t k = 0; k < P.size(); ++k) P[k] = (kinetic[k] + state.virial[r][k]) / volume;
  return P;
}

void scale_velocities(AtomState& state, std::span<const double> factor, int threads) {
  for_each_atom(state.layout, threads, [&](Index replica, Index atom) {
    Vec3<double>& v = state.velocity[static_cast<std::size_t>(atom)];
    v = factor[static_cast<std::size_t>(replica)] * v;
  });
}

void stop_centre_of_mass(AtomState& state, int threads) {
  const std::vector<TotalMotion> motions = total_motions(state, threads);
  for_each_atom(state.layout, threads, [&](Index replica, Index atom) {
    const TotalMotion& motion = motions[static_cast<std::size_t>(replica)];
    Vec3<double>& v = state.velocity[static_cast<std::size_t>(atom)];
    v = v - (1 / motion.mass) * motion.momentum;
  });
}

}  // namespace larmor::atoms
