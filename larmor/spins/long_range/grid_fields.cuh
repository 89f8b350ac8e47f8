#pragma once
// Copies vectors of a lattice to fields on a Fourier grid, and back, on a GPU. Fields are (replica
// of the batch, atom, component), each on the grid of core/gpu/gpu_fft.hpp.

#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/gpu_fft.hpp"
#include "larmor/core/simd/for_each.hpp"

namespace larmor::spins {

/// All atoms of a lattice in some of its blocks of replicas.
struct GridFields {
  cuda::FftGrid grid;
  Index cells[3];  ///< cells of the lattice; the grid may have more points
  SpinLayout layout;
  Index first_block, blocks;
  Index atoms;                   ///< number of basis atoms
  const std::int32_t* position;  ///< storage position of each canonical site
  const double* weight;          ///< weight of each canonical site

  LARMOR_HD Index lanes() const { return layout.one_replica() ? 1 : lane_count; }
  LARMOR_HD Index replicas() const { return blocks * lanes(); }
  LARMOR_HD Index fields() const { return 3 * atoms * replicas(); }
  LARMOR_HD Index field(Index replica, Index atom) const { return 3 * (replica * atoms + atom); }
};

/// The work of one thread: one grid point of one atom in one replica. Replicas vary fastest, so
/// that a thread block reads the replicas of a block together.
struct GridThread {
  Index replica, atom;  ///< counted from the first of the batch
  Index point;          ///< offset in a field
  Index site;           ///< canonical; -1 if there is none

  __device__ GridThread(const GridFields& f, Index thread) {
    const auto lanes = static_cast<unsigned>(f.lanes());
    const Index in_block = thread / lanes;
    // GPU memory is too small for a grid of 2^32 points.
    const auto points = static_cast<unsigned>(f.grid.points());
    const auto nx = static_cast<unsigned>(f.grid.size[0]);
    const auto ny = static_cast<unsigned>(f.grid.size[1]);
    const Index rest = in_block / points;
    const auto n = static_cast<unsigned>(in_block - rest * points);
    const unsigned row = n / nx, x = n - row * nx, z = row / ny, y = row - z * ny;
    atom = rest % f.atoms;
    replica = rest / f.atoms * lanes + thread % lanes;
    point = row * f.grid.row_stride() + x;
    const bool inside = x < f.cells[0] && y < f.cells[1] && z < f.cells[2];
    site = inside ? atom + f.atoms * (x + f.cells[0] * (y + f.cells[1] * z)) : -1;
  }
};

template <class Numbers, class Real>
__global__ void gather_kernel(GridFields f, Index threads, VectorView vectors, Real* fields) {
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const GridThread at(f, thread);
  Vec3<Real> e{0, 0, 0};
  if (at.site >= 0) {
    const Index replica = f.first_block * f.lanes() + at.replica;
    const auto w = static_cast<Real>(f.weight[at.site]);
    e = w * converted<Real>(vectors.load(ScalarSlot<Numbers>{f.position[at.site], replica}));
  }
  Real* out = fields + f.field(at.replica, at.atom) * f.grid.field_stride() + at.point;
  out[0] = e.x;
  out[f.grid.field_stride()] = e.y;
  out[2 * f.grid.field_stride()] = e.z;
}

template <class Numbers, class Real>
__global__ void scatter_kernel(GridFields f, Index threads, const Real* fields,
                               VectorView vectors) {
  const Index thread = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const GridThread at(f, thread);
  if (at.site < 0) return;
  const Real* in = fields + f.field(at.replica, at.atom) * f.grid.field_stride() + at.point;
  const auto w = static_cast<Real>(f.weight[at.site]);
  const Index replica = f.first_block * f.lanes() + at.replica;
  vectors.store(ScalarSlot<Numbers>{f.position[at.site], replica},
                converted<typename Numbers::Real>(w * Vec3<Real>{in[0], in[f.grid.field_stride()],
                                                                 in[2 * f.grid.field_stride()]}));
}

/// Writes weighted vectors to the grid, and zeros at points without a site.
template <class Real>
void gather(const Device& device, const GridFields& f, const Reals& vectors, Real* fields) {
  const cuda::LaunchRegion region(device.ordinal, "vectors to the grid");
  const Index threads = f.grid.points() * f.atoms * f.replicas();
  larmor::detail::with_cuda_numbers(device, [&](auto numbers) {
    cuda::launch(device.ordinal, cuda::shape_of(threads), gather_kernel<decltype(numbers), Real>, f,
                 threads, VectorView(vectors, f.layout), fields);
  });
}

/// Writes weighted fields back to the sites.
template <class Real>
void scatter(const Device& device, const GridFields& f, const Real* fields, const Reals& vectors) {
  const cuda::LaunchRegion region(device.ordinal, "vectors from the grid");
  const Index threads = f.grid.points() * f.atoms * f.replicas();
  larmor::detail::with_cuda_numbers(device, [&](auto numbers) {
    cuda::launch(device.ordinal, cuda::shape_of(threads), scatter_kernel<decltype(numbers), Real>,
                 f, threads, fields, VectorView(vectors, f.layout));
  });
}

}  // namespace larmor::spins
