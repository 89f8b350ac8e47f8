#include "larmor/spins/observables/triangles.hpp"

#define LARMOR_ONLY_ON_GPU
#include "larmor/core/simd/for_each.hpp"

namespace larmor::spins {
namespace {

/// In this kernel, the sites of a slot are triangles.
struct SolidAngle {
  VectorView spins;
  const std::int32_t* corner;

  template <class Numbers>
  __host__ __device__ Sums<double, 1> operator()(const ScalarSlot<Numbers>& triangle) const {
    Vec3<double> e[3];
    for (int k = 0; k < 3; ++k) {
      const ScalarSlot<Numbers> at{corner[3 * triangle.site + k], triangle.replica};
      e[k] = converted<double>(spins.load(at));
    }
    return {{solid_angle(e[0], e[1], e[2])}};
  }
};

}  // namespace

TriangleSums::TriangleSums(std::span<const lattice::Triangle> triangles, const SpinState& state)
    : triangles_(static_cast<Index>(triangles.size())) {
  std::vector<std::int32_t> storage(static_cast<std::size_t>(state.layout().sites));
  for (Index position = 0; position < state.layout().sites; ++position)
    storage[static_cast<std::size_t>(state.canonical()[static_cast<std::size_t>(position)])] =
        static_cast<std::int32_t>(position);
  std::vector<std::int32_t> corner;
  corner.reserve(3 * triangles.size());
  for (const lattice::Triangle& triangle : triangles)
    for (const Index site : triangle) corner.push_back(storage[static_cast<std::size_t>(site)]);
  corner_ = Array<std::int32_t>(state.device(), corner);
}

Pending TriangleSums::of_solid_angles(const SpinState& state) const {
  state.complete();
  const Extent all = Extent::all({triangles_, state.layout().replicas});
  return reduce_async(state.device(), all,
                      SolidAngle{VectorView(state.reals(), state.layout()), corner_.data()});
}

}  // namespace larmor::spins
