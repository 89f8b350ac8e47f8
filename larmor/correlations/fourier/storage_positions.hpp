#pragma once
// Positions of spins in storage order.

#include <vector>

#include "larmor/lattice/geometry.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::correlations {

/// (3, spins)
inline std::vector<double> storage_positions(const lattice::Geometry& geometry,
                                             const spins::SpinState& state) {
  const Index spins = state.layout().spins();
  std::vector<double> positions(static_cast<std::size_t>(3 * spins));
  for (Index storage = 0; storage < spins; ++storage) {
    const Vec3<double> r = geometry.position(state.canonical()[static_cast<std::size_t>(storage)]);
    const double component[] = {r.x, r.y, r.z};
    for (Index a = 0; a < 3; ++a)
      positions[static_cast<std::size_t>(a * spins + storage)] = component[a];
  }
  return positions;
}

}  // namespace larmor::correlations
