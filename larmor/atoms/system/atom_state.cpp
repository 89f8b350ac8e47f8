#include "larmor/atoms/system/atom_state.hpp"

#include <string>

#include "larmor/atoms/system/loops.hpp"
#include "larmor/atoms/system/thermodynamics.hpp"
#include "larmor/atoms/system/velocity_kernels.hpp"
#include "larmor/core/error.hpp"

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
      throw InputError(
          "atom " + std::to_string(atom) + of_replica + " has the type " + std::to_string(type) +
              ", which has no mass",
          "types are counted from 0; masses are given for " + std::to_string(types) + " types");
  }
}

}  // namespace

AtomLayout::AtomLayout(std::span<const Index> atoms, std::uint64_t first_replica,
                       const Device& device)
    : first_{0}, first_atom_block_{0}, first_replica_(first_replica), device_(device) {
  for (std::size_t replica = 0; replica < atoms.size(); ++replica) {
    const Index begin = first_.back(), end = begin + atoms[replica];
    for (Index first = begin; first < end; first += sites_of_sum_block)
      atom_blocks_.push_back(
          {static_cast<Index>(replica), first, std::min(first + sites_of_sum_block, end)});
    first_.push_back(end);
    first_atom_block_.push_back(static_cast<Index>(atom_blocks_.size()));
    longest_atom_block_ =
        std::max(longest_atom_block_, std::min(atoms[replica], sites_of_sum_block));
  }
  if (device_.backend == Backend::cpu) return;
  first_on_gpu_ = AtomArray<Index>(device_, first_);
  first_atom_block_on_gpu_ = AtomArray<Index>(device_, first_atom_block_);
  atom_blocks_on_gpu_ = AtomArray<AtomBlock>(device_, atom_blocks_);
}

LayoutView AtomLayout::view() const {
  const bool on_cpu = device_.backend == Backend::cpu;
  return {on_cpu ? atom_blocks_.data() : atom_blocks_on_gpu_.data(),
          on_cpu ? first_.data() : first_on_gpu_.data(),
          on_cpu ? first_atom_block_.data() : first_atom_block_on_gpu_.data(),
          static_cast<Index>(atom_blocks_.size()),
          replicas(),
          atoms(),
          longest_atom_block_};
}

AtomState::AtomState(const AtomUnits& atom_units, std::span<const double> molar_mass,
                     std::span<const Structure> structures, std::uint64_t first_replica,
                     const Device& where)
    : units(atom_units),
      device(where),
      layout(atoms_of(structures), first_replica, where),
      faults(where) {
  std::vector<double> masses;
  for (std::size_t t = 0; t < molar_mass.size(); ++t) {
    if (!(molar_mass[t] > 0) || !std::isfinite(molar_mass[t]))
      throw InputError(
          "the mass of type " + std::to_string(t) + " is " + number_text(molar_mass[t]),
          "give a positive number");
    masses.push_back(units.mass * molar_mass[t]);
  }
  std::vector<Vec3<double>> positions;
  std::vector<std::int32_t> types;
  std::vector<Box> boxes;
  for (std::size_t replica = 0; replica < structures.size(); ++replica) {
    const Structure& structure = structures[replica];
    require_types(structure, replica, molar_mass.size());
    positions.insert(positions.end(), structure.positions.begin(), structure.positions.end());
    types.insert(types.end(), structure.types.begin(), structure.types.end());
    boxes.push_back(structure.box);
  }
  mass_of_type = AtomArray<double>(device, masses);
  type = AtomArray<std::int32_t>(device, types);
  position = AtomArray<Vec3<double>>(device, positions);
  velocity = AtomArray<Vec3<double>>(device, layout.atoms());
  force = AtomArray<Vec3<double>>(device, layout.atoms());
  box = AtomArray<Box>(device, boxes);
  energy = AtomArray<double>(device, layout.replicas());
  virial = AtomArray<SymmetricTensor>(device, layout.replicas());
  keys = AtomArray<ReplicaKey>(device, replica_keys(0, layout.replicas(), first_replica));
}

void AtomState::set_seed(std::uint64_t seed) {
  keys = replica_keys(seed, layout.replicas(), layout.first_replica());
}

AtomsView AtomState::view() {
  return {position.data(), velocity.data(), force.data(),  type.data(),   mass_of_type.data(),
          box.data(),      energy.data(),   virial.data(), layout.view(), faults.flag(step)};
}

void set_velocities(AtomState& state, std::span<const double> temperatures, bool scaled,
                    int threads) {
  if (static_cast<Index>(temperatures.size()) != state.layout.replicas())
    throw InternalError("velocities need a temperature for each replica");
  for (const double T : temperatures)
    if (!(T >= 0) || !std::isfinite(T))
      throw InputError("the temperature of velocities is " + number_text(T),
                       "give a finite number of 0 or more");
  const AtomArray<double> on_device(state.device, temperatures);
  for_each_atom(state, threads,
                DrawVelocity{state.view(), on_device.data(), state.units.k_B,
                             state.random_keys(Stream::atom_velocity)});
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
