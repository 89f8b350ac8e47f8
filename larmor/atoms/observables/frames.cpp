#include "larmor/atoms/observables/frames.hpp"

#include "larmor/atoms/system/replica_sums.hpp"

namespace larmor::atoms {
namespace {

/// Subtracts the mean of each replica, weighted by mass.
void subtract_mean(const AtomState& state, std::vector<Vec3<double>>& vectors, int threads) {
  const auto sums = sums_of_replicas<4>(state.layout, threads, [&](Index atom) {
    const double m = state.mass(atom);
    const Vec3<double>& v = vectors[static_cast<std::size_t>(atom)];
    return std::array{m * v.x, m * v.y, m * v.z, m};
  });
  for_each_atom(state.layout, threads, [&](Index replica, Index atom) {
    const auto& [x, y, z, mass] = sums[static_cast<std::size_t>(replica)];
    Vec3<double>& v = vectors[static_cast<std::size_t>(atom)];
    v = v - (1 / mass) * Vec3<double>{x, y, z};
  });
}

}  // namespace

std::vector<Vec3<double>> frame_positions(const AtomState& state, CentreOfMass centre,
                                          int threads) {
  std::vector<Vec3<double>> positions = state.position.to_host();
  if (centre == CentreOfMass::removed) subtract_mean(state, positions, threads);
  return positions;
}

std::vector<Vec3<double>> frame_velocities(const AtomState& state, CentreOfMass centre,
                                           int threads) {
  std::vector<Vec3<double>> velocities = state.velocity.to_host();
  if (centre == CentreOfMass::removed) subtract_mean(state, velocities, threads);
  return velocities;
}

std::vector<double> atoms_of_types(const AtomState& state, Index types) {
  std::vector<double> atoms(static_cast<std::size_t>(state.layout.replicas() * types));
  for (Index replica = 0; replica < state.layout.replicas(); ++replica)
    for (const std::int32_t type : state.types_of(replica))
      ++atoms[static_cast<std::size_t>(replica * types + type)];
  return atoms;
}

}  // namespace larmor::atoms
