#include "larmor/atoms/atom_state.hpp"

#include <string>

#include "larmor/atoms/replica_sums.hpp"
#include "larmor/atoms/thermodynamics.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/maths/normal.hpp"

namespace larmor::atoms {
namespace {

std::vector<Index> atoms_of(std::span<const Structure> structures) {
  std::vector<Index> atoms;
  for (const Structure& structure : structures)
    atoms.push_back(static_cast<Index>(structure.positions.size()));
  return atoms;
}

void require_types(const Structure& structure, std::size_t replica, std::size_t types) {
  const std::string of_replica = " of replica " + std::to_string(replica);
  if (structure.positions.empty())
    throw InputError("there are no atoms in the structure" + of_replica, "give one atom or more");
  if (structure.types.size() != structure.positions.size())
    throw InputError("the structure" + of_replica + " has " +
                         std::to_string(structure.positions.size()) + " positions and " +
                         std::to_string(structure.types.size()) + " types",
                     "give one type for each atom");
  for (std::size_t atom = 0; atom < structure.types.size(); ++atom) {
    const std::int32_t type = structure.types[atom];
    if (type < 0 || static_cast<std::size_t>(type) >= types)
      throw InputError("atom " + std::to_string(atom) + of_replica + " has the type " +
                           std::to_string(type) + ", which has no mass",
                       "types are counted from 0; there are masses of " + std::to_string(types));
  }
}

}  // namespace

AtomLayout::AtomLayout(std::span<const Index> atoms, std::uint64_t first_replica)
    : first_{0}, first_piece_{0}, first_replica_(first_replica) {
  for (std::size_t replica = 0; replica < atoms.size(); ++replica) {
    const Index begin = first_.back(), end = begin + atoms[replica];
    for (Index first = begin; first < end; first += clusters::sites_of_piece)
      pieces_.push_back(
          {static_cast<Index>(replica), first, std::min(first + clusters::sites_of_piece, end)});
    first_.push_back(end);
    first_piece_.push_back(static_cast<Index>(pieces_.size()));
  }
}

AtomState::AtomState(const AtomUnits& atom_units, std::span<const double> molar_mass,
                     std::span<const Structure> structures, std::uint64_t first_replica)
    : units(atom_units), layout(atoms_of(structures), first_replica) {
  for (std::size_t t = 0; t < molar_mass.size(); ++t) {
    if (!(molar_mass[t] > 0) || !std::isfinite(molar_mass[t]))
      throw InputError(
          "the mass of type " + std::to_string(t) + " is " + number_text(molar_mass[t]),
          "a mass is a positive number");
    mass_of_type.push_back(units.mass * molar_mass[t]);
  }
  for (std::size_t replica = 0; replica < structures.size(); ++replica) {
    const Structure& structure = structures[replica];
    require_types(structure, replica, molar_mass.size());
    position.insert(position.end(), structure.positions.begin(), structure.positions.end());
    type.insert(type.end(), structure.types.begin(), structure.types.end());
    box.push_back(structure.box);
  }
  velocity.resize(position.size());
  force.resize(position.size());
  energy.resize(box.size());
  virial.resize(box.size());
}

void set_velocities(AtomState& state, std::span<const double> temperatures, std::uint64_t seed,
                    bool scaled, int threads) {
  if (static_cast<Index>(temperatures.size()) != state.layout.replicas())
    throw InternalError("velocities need a temperature for each replica");
  for (const double T : temperatures)
    if (!(T >= 0) || !std::isfinite(T))
      throw InputError("the temperature of velocities is " + number_text(T),
                       "a temperature is not negative");
  const RandomKey key{seed, state.step, Stream::atom_velocity, state.layout.first_replica()};
  for_each_atom(state.layout, threads, [&](Index replica, Index atom) {
    const double kT = state.units.k_B * temperatures[static_cast<std::size_t>(replica)];
    const auto site = static_cast<std::uint64_t>(atom - state.layout.first(replica));
    state.velocity[static_cast<std::size_t>(atom)] =
        square_root(kT / state.mass(atom)) *
        normal_vector<double>(philox(key, site, static_cast<std::uint64_t>(replica)));
  });
  stop_centre_of_mass(state, threads);
  if (!scaled) return;
  const std::vector<double> kinetic = kinetic_energies(state, threads);
  std::vector<double> factor(kinetic.size(), 1);
  for (std::size_t r = 0; r < factor.size(); ++r) {
    const double T = temperature(state, static_cast<Index>(r), kinetic[r]);
    if (T > 0) factor[r] = square_root(temperatures[r] / T);
  }
  scale_velocities(state, factor, threads);
}

}  // namespace larmor::atoms
