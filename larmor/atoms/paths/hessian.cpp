#include "larmor/atoms/paths/hessian.hpp"

#include <algorithm>

namespace larmor::atoms {
namespace {

/// Displacement h, Angstrom. Rounding errors of forces, about 1e-12, add 1e-9 to H.
constexpr double displacement = 3e-4;

double& component(Vec3<double>& v, Index axis) {
  if (axis == 0) return v.x;
  return axis == 1 ? v.y : v.z;
}

}  // namespace

std::vector<double> hessian(const Surface& copies, const std::vector<Vec3<double>>& positions) {
  AtomState& state = copies.state;
  const auto atoms = static_cast<Index>(positions.size());
  const Index size = 3 * atoms, displaced = 2 * size, replicas = state.layout.replicas();
  std::vector<double> H(static_cast<std::size_t>(size * size));
  // The structure number 2 j has the coordinate j displaced forwards, 2 j + 1 backwards.
  for (Index begin = 0; begin < displaced; begin += replicas) {
    const Index end = std::min(begin + replicas, displaced);
    for (Index replica = 0; replica < replicas; ++replica) {
      const auto first = static_cast<std::size_t>(state.layout.first(replica));
      std::ranges::copy(positions, state.position.data() + first);
      const Index number = begin + replica;
      if (number >= end) continue;
      const Index column = number / 2;
      component(state.position[first + static_cast<std::size_t>(column / 3)], column % 3) +=
          number % 2 == 0 ? displacement : -displacement;
    }
    copies.field.evaluate(state);
    for (Index number = begin; number < end; ++number) {
      const double factor = (number % 2 == 0 ? -1 : 1) / (2 * displacement);
      const auto forces = state.forces_of(number - begin);
      for (Index row = 0; row < size; ++row)
        H[static_cast<std::size_t>(row * size + number / 2)] +=
            factor * component(forces[static_cast<std::size_t>(row / 3)], row % 3);
    }
  }
  for (Index row = 0; row < size; ++row)
    for (Index column = 0; column < row; ++column) {
      double& lower = H[static_cast<std::size_t>(row * size + column)];
      double& upper = H[static_cast<std::size_t>(column * size + row)];
      lower = upper = (lower + upper) / 2;
    }
  return H;
}

Index copies_for_hessian(Index atoms, Backend backend) {
  // On a CPU a replica is the work of a thread. A GPU needs more atoms at a time.
  const Index atoms_at_a_time = backend == Backend::cpu ? 5'000 : 100'000;
  return std::clamp(atoms_at_a_time / atoms, Index{1}, 6 * atoms);
}

}  // namespace larmor::atoms
