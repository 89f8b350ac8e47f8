// ZBL repulsion on a GPU, compiled without fused multiplication: energies and forces are those of a
// CPU up to the rounding of exp.

#include <cuda_runtime.h>

#include "larmor/atoms/forces/gpu_potential.hpp"
#include "larmor/atoms/potentials/zbl/gpu_zbl.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/early_launch.cuh"

namespace larmor::atoms {
namespace {

struct ZblView {
  const ZblPair* pairs;
  const std::int32_t* pair_of_types;
  std::int32_t types;
};

/// Each warp computes one atom, and each lane one pair. The first lane sums the energy. BITS: in
/// the order of the row.
__global__ void __launch_bounds__(warps_of_block* warp_size)
    zbl_kernel(const __grid_constant__ GpuRowsView rows, const __grid_constant__ ZblView zbl,
               const std::int32_t* type, double* energy, Vec3<double>* gradient, bool adds) {
  __shared__ double shared[warps_of_block][warp_size];
  cuda::let_successor_begin_and_wait();
  const int warp = static_cast<int>(threadIdx.x) / warp_size,
            lane = static_cast<int>(threadIdx.x) % warp_size;
  const Index atom = Index(blockIdx.x) * warps_of_block + warp;
  if (atom >= rows.atoms) return;
  const int count = rows.count[atom];
  double sum = 0;
  for (int first = 0; first < count; first += warp_size) {
    const int n = first + lane;
    if (n < count) {
      const Index entry = rows.entry(atom, n);
      const std::int32_t pair =
          zbl.pair_of_types[type[atom] * zbl.types + type[rows.neighbour[entry]]];
      ZblPair::Value value{0, 0};
      Vec3<double> g{};
      if (pair >= 0) {
        const Vec3<double> d = rows.displacement[entry];
        const double r = length(d);
        value = zbl.pairs[pair].at(r);
        g = (0.5 * value.slope / r) * d;
      }
      shared[warp][lane] = 0.5 * value.energy;
      gradient[entry] = adds ? gradient[entry] + g : g;
    }
    __syncwarp();
    const int pairs = count - first < warp_size ? count - first : warp_size;
    if (lane == 0)
      for (int other = 0; other < pairs; ++other) sum += shared[warp][other];
    __syncwarp();
  }
  if (lane == 0) energy[atom] = adds ? energy[atom] + sum : sum;
}

}  // namespace

GpuZbl::GpuZbl(const Zbl& zbl, const Device& device)
    : cutoff_(zbl.cutoff()),
      types_(static_cast<std::int32_t>(zbl.types_)),
      pairs_(device, zbl.pairs_),
      pair_of_types_(device, zbl.pair_of_types_) {}

void GpuZbl::evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                      Vec3<double>* gradient, bool adds, CUstream_st* stream) {
  const int ordinal = pairs_.device().ordinal;
  const cuda::LaunchRegion region(ordinal, "zbl");
  const auto blocks = static_cast<unsigned>((rows.atoms + warps_of_block - 1) / warps_of_block);
  cuda::launch_early(ordinal, stream, zbl_kernel, blocks, warps_of_block * warp_size, 0, rows,
                     ZblView{pairs_.data(), pair_of_types_.data(), types_}, type, energy, gradient,
                     adds);
}

}  // namespace larmor::atoms
