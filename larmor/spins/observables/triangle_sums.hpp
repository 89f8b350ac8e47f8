#pragma once
// Areas of triangles summed on a GPU. Compiled only if CUDA is found.

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/pending.hpp"
#include "larmor/lattice/triangulation.hpp"
#include "larmor/spins/state/spin_state.hpp"

namespace larmor::spins {

class TriangleSums {
 public:
  /// @param state with the sites of the corners
  TriangleSums(std::span<const lattice::Triangle> triangles, const SpinState& state);

  /// Sum of solid_angle over all triangles. [padded replicas]
  Pending of_solid_angles(const SpinState& state) const;

 private:
  Index triangles_;
  Array<std::int32_t> corner_;  ///< storage positions (triangle, 3)
};

}  // namespace larmor::spins
