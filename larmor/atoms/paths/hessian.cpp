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

HessianByDifferences::HessianByDifferences(std::vector<Vec3<double>> positions)
    : positions_(std::move(positions)), columns_(static_cast<std::size_t>(size() * size())) {}

void HessianByDifferences::advance(const Surface& copies) {
  AtomState& state = copies.state;
  const Index replicas = state.layout.replicas(), begin = next_;
  const Index end = std::min(begin + replicas, 2 * size());
  // The structure number 2 j has the coordinate j displaced forwards, 2 j + 1 backwards.
  for (Index replica = 0; replica < replicas; ++replica) {
    const auto first = static_cast<std::size_t>(state.layout.first(replica));
    std::ranges::copy(positions_, state.position.data() + first);
    const Index number = begin + replica, column = number / 2;
    if (number >= end) continue;
    component(state.position[first + static_cast<std::size_t>(column / 3)], column % 3) +=
        number % 2 == 0 ? displacement : -displacement;
  }
  copies.field.evaluate(state);
  for (Index number = begin; number < end; ++number) {
    const double factor = (number % 2 == 0 ? -1 : 1) / (2 * displacement);
    const auto forces = state.forces_of(number - begin);
    for (Index row = 0; row < size(); ++row)
      columns_[static_cast<std::size_t>(number / 2 * size() + row)] +=
          factor * component(forces[static_cast<std::size_t>(row / 3)], row % 3);
  }
  next_ = end;
}

std::vector<double> HessianByDifferences::matrix() const {
  std::vector<double> H(columns_.size());
  for (Index row = 0; row < size(); ++row)
    for (Index column = 0; column < size(); ++column)
      H[static_cast<std::size_t>(row * size() + column)] =
          (columns_[static_cast<std::size_t>(row * size() + column)] +
           columns_[static_cast<std::size_t>(column * size() + row)]) /
          2;
  return H;
}

Index copies_for_hessian(Index atoms, Backend backend) {
  // On a CPU a replica is the work of a thread. A GPU needs more atoms at a time.
  const Index atoms_at_a_time = backend == Backend::cpu ? 5'000 : 100'000;
  return std::clamp(atoms_at_a_time / atoms, Index{1}, 6 * atoms);
}

}  // namespace larmor::atoms
