#pragma once
// U of every atom, with one warp per atom and one lane per neighbour.

#include "larmor/atoms/potentials/snap/gpu/gpu_view.cuh"
#include "larmor/atoms/potentials/snap/gpu/rows_in_registers.cuh"
#include "larmor/core/gpu/early_launch.cuh"

namespace larmor::atoms::snap {

inline constexpr int density_warps = 4;

/// Distance in shared memory between numbers of all lanes.
inline constexpr int row_of_values = warp_size + 1;

/// Reals of shared memory for a warp: a sum, and the numbers of all lanes before they are summed.
LARMOR_INLINE int density_work(int half, int twojmax) {
  return 2 * half + 2 * (twojmax + 1) * row_of_values;
}

template <class Real>
__device__ NeighbourRotation<Real> rotation_of(const RotationRule& rule,
                                               const PairShape<double>& shape,
                                               const Vec3<double>& r) {
  const PairShape<Real> s{Real(shape.cutoff), Real(shape.weight), Real(shape.inner_middle),
                          Real(shape.inner_half_width)};
  return neighbour_rotation<Real>(rule, s, {Real(r.x), Real(r.y), Real(r.z)});
}

/// The neighbour of a lane. The weight is 0 if the lane has no neighbour, or if the neighbour
/// belongs to another channel.
template <class Real, class View>
__device__ NeighbourRotation<Real> neighbour_of_lane(const View& view, const GpuRowsView& rows,
                                                     const std::int32_t* type, Index atom, int slot,
                                                     int element, int channel) {
  const int elements = view.types;
  if (slot < rows.count[atom]) {
    const Index entry = rows.entry(atom, slot);
    const int other = view.element_of_type[type[rows.neighbour[entry]]];
    if (view.snap.channels == 1 || other == channel)
      return rotation_of<Real>(view.snap.rule, view.shape[element * elements + other],
                               rows.displacement[entry]);
  }
  PairShape<double> shape = view.shape[element * elements];
  shape.weight = 0;
  return rotation_of<Real>(view.snap.rule, shape, {0.5 * shape.cutoff, 0, 0});
}

template <int most, class Real, class Product>
__global__ void __launch_bounds__(density_warps* warp_size)
    find_densities(const __grid_constant__ GpuView<Product> view,
                   const __grid_constant__ GpuRowsView rows, const std::int32_t* type,
                   const __grid_constant__ Work<Product> work) {
  extern __shared__ __align__(16) char shared[];
  cuda::wait_for_predecessor();
  const SnapTablesView& t = view.snap.tables;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  const int of_warp = density_work(t.half, t.twojmax);
  Real* const sum = reinterpret_cast<Real*>(shared) + warp * of_warp;
  Real* const values = sum + 2 * t.half;
  const Index n = Index(blockIdx.x) * density_warps + warp;
  if (n >= work.atoms) return;
  const Index atom = work.first + n;
  const int element = view.element_of_type[type[atom]];
  const int own_channel = view.element[element].channel;
  const int count = rows.count[atom];
  for (int channel = 0; channel < view.snap.channels; ++channel) {
    for (int k = lane; k < 2 * t.half; k += warp_size) sum[k] = Real(0);
    for (int begin = 0; begin < count; begin += warp_size) {
      const NeighbourRotation<Real> neighbour =
          neighbour_of_lane<Real>(view, rows, type, atom, begin + lane, element, channel);
      const int live = min(warp_size, count - begin);
      walk_rows_in_registers<most>(
          t.twojmax, cayley_klein(neighbour),
          [&](int first, const Complex<Real>(&row)[most + 1], int size) {
            __syncwarp();
#pragma unroll
            for (int ma = 0; ma <= most; ++ma) {
              if (ma >= size) break;
              values[2 * ma * row_of_values + lane] = neighbour.weight * row[ma].re;
              values[(2 * ma + 1) * row_of_values + lane] = neighbour.weight * row[ma].im;
            }
            __syncwarp();
            // If rows are short, several lanes sum one number.
            const int lanes_of_number = size <= 4 ? 4 : size <= 8 ? 2 : 1;
            const int numbers = warp_size / lanes_of_number;
            const int number = lane % numbers;
            Real total(0);
            if (number < 2 * size) {
              const Real* of_lanes = values + number * row_of_values;
              for (int other = lane / numbers; other < live; other += lanes_of_number)
                total += of_lanes[other];
            }
            for (int shift = numbers; shift < warp_size; shift *= 2)
              total += __shfl_xor_sync(every_lane, total, shift);
            if (lane < 2 * size && lane < numbers) sum[2 * first + lane] += total;
          });
    }
    __syncwarp();
    const Real self(view.snap.self_in_all || channel == own_channel ? 1.0 : 0.0);
    Element<Product>* U = work.U + (n / tile * view.snap.channels + channel) * t.full * tile;
    const auto atom_of_tile = static_cast<int>(n % tile);
    const auto put = [&](int e, const Complex<Real>& u) {
      U[e * tile + atom_of_tile] = {Product(u.re), Product(u.im)};
    };
    for (int k = lane; k < t.half; k += warp_size) {
      const HalfPlace place = view.place[k];
      const Real norm(t.norm[k]);
      Complex<Real> u{norm * sum[2 * k], norm * sum[2 * k + 1]};
      if (place.ma == place.mb) u.re += self;
      const Complex<Real> other = mirrored(place.ma + place.mb, u);
      const int layer = t.layer_start[place.j], size = place.j + 1;
      const int here = layer + place.mb * size + place.ma;
      const int there = layer + (place.j - place.mb) * size + place.j - place.ma;
      put(there, other);
      put(here, u);
    }
    __syncwarp();
  }
}

}  // namespace larmor::atoms::snap
