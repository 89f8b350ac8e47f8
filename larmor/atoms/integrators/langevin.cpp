#include "larmor/atoms/integrators/langevin.hpp"

#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {
namespace {

/// The velocity of one atom after friction and noise, exactly.
/// @param kept exp(-time / tau)
LARMOR_INLINE Vec3<double> fluctuated(const Vec3<double>& v, double kept, double thermal_energy,
                                      double mass, const RandomKey& key, std::uint64_t atom,
                                      std::uint64_t replica) {
  const double spread = square_root((1 - kept * kept) * thermal_energy / mass);
  return kept * v + spread * normal_vector<double>(philox(key, atom, replica));
}

}  // namespace

void Langevin::step(AtomState& state, ForceField& field) {
  kick(state, timestep() / 2);
  drift(state, timestep() / 2);
  fluctuate(state);
  drift(state, timestep() / 2);
  evaluate(state, field);
  kick(state, timestep() / 2);
}

void Langevin::fluctuate(AtomState& state) {
  const std::vector<double> before = kinetic_energies(state, threads());
  std::vector<double> kept, thermal;
  for (Index replica = 0; replica < state.layout.replicas(); ++replica) {
    kept.push_back(exponential(-timestep() / time(replica)));
    thermal.push_back(thermal_energy(state, replica));
  }
  const RandomKey key{seed(), state.step, Stream::atom_noise, state.layout.first_replica()};
  for_each_atom(state.layout, threads(), [&](Index replica, Index atom) {
    const auto r = static_cast<std::size_t>(replica);
    Vec3<double>& v = state.velocity[static_cast<std::size_t>(atom)];
    v = fluctuated(v, kept[r], thermal[r], state.mass(atom), key,
                   static_cast<std::uint64_t>(atom - state.layout.first(replica)),
                   static_cast<std::uint64_t>(replica));
  });
  // Taking its motion out of friction and noise or of the velocities is the same for a centre of
  // mass at rest, and what rounding adds to it goes as well.
  stop_centre_of_mass(state, threads());
  const std::vector<double> after = kinetic_energies(state, threads());
  for (std::size_t r = 0; r < after.size(); ++r)
    add_heat(static_cast<Index>(r), after[r] - before[r]);
}

}  // namespace larmor::atoms
