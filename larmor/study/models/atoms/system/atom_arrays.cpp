// Arrays of atoms for programs. Positions are never wrapped into the box.

#include "larmor/core/maths/vectors.hpp"
#include "larmor/study/models/atoms/system/atom_system.hpp"

namespace larmor::study {
namespace {

std::vector<double> numbers_of_vectors(const atoms::AtomArray<Vec3<double>>& vectors) {
  return flattened(vectors.to_host());
}

const atoms::AtomArray<Vec3<double>>& vectors_named(const atoms::AtomState& state,
                                                    const std::string& name) {
  if (name == "positions") return state.position;
  return name == "velocities" ? state.velocity : state.force;
}

}  // namespace

std::vector<LiveArray> AtomSystem::live_arrays() const {
  const std::string axes =
      setup.has_equal_numbers() ? "replica, atom, component" : "atom of all replicas, component";
  LiveArray forces{"forces", "eV/Å", axes, true};
  LiveArray energies{"energies", "eV", "replica"};
  forces.needs_stage = energies.needs_stage = true;
  return {{"positions", "Å", axes, true},
          {"velocities", "Å/ps", axes, true},
          forces,
          energies,
          {"cells", "Å", "replica, vector, component"}};
}

io::DataArray AtomSystem::live_array(const std::string& name) {
  if (name == "energies") return potential_energies(state);
  if (name == "cells") return {numbers_of(state, replicas.count).boxes, {replicas.count, 3, 3}};
  return array_of_atoms(numbers_of_vectors(vectors_named(state, name)));
}

MemoryView AtomSystem::live_view(const std::string& name) {
  static_assert(sizeof(Vec3<double>) == 3 * sizeof(double));
  const void* const first = vectors_named(state, name).data();
  const Index all = state.layout.atoms(), count = state.layout.replicas();
  if (!setup.has_equal_numbers()) return {first, false, {all, 3}, {3, 1}, device};
  return {first, false, {count, all / count, 3}, {3 * all / count, 3, 1}, device};
}

}  // namespace larmor::study
