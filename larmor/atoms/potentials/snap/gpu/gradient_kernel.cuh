#pragma once
// Energies of atoms and gradients of their neighbours, by generators of rotations (gradients.hpp).
// One warp per atom, one lane per neighbour.

#include "larmor/atoms/potentials/snap/gpu/density_kernel.cuh"
#include "larmor/atoms/potentials/snap/gradients.hpp"

namespace larmor::atoms::snap {

inline constexpr int gradient_warps = 4;

/// The element n of the half of Y of a channel, and the results of the generators applied to Y.
template <class Real, class Product>
__device__ void fold_element(const GpuView<Product>& view, const Element<Product>* Y, int n,
                             Element<Real>* folded) {
  const SnapTablesView& t = view.snap.tables;
  const HalfPlace place = view.place[n];
  const bool is_middle = place.j == 2 * place.mb;
  const auto y = [&](int ma) {
    const bool beyond = is_middle && ma > place.mb;
    const int from = n - place.ma + (beyond ? place.j - ma : ma);
    const Real scale((is_middle ? 1.0 : 2.0) * t.norm[from]);
    const Complex<Real> here{scale * Real(Y[from].re), scale * Real(Y[from].im)};
    return beyond ? mirrored(place.j - ma + place.mb, here) : here;
  };
  Complex<Real> generated[4];
  apply_generators(place.j, place.ma, y(max(place.ma - 1, 0)), y(place.ma),
                   y(min(place.ma + 1, int(place.j))), generated);
  const Real weight(is_middle && place.ma < place.mb ? 2.0 : 1.0);
#pragma unroll
  for (int p = 0; p < 4; ++p) folded[p] = {weight * generated[p].re, weight * generated[p].im};
}

/// <U, Y> of a channel of an atom, summed over the elements of a lane. @param atom number in the
/// tile
template <class Product>
__device__ double contracted_of_lane(const GpuView<Product>& view, const Element<Product>* U,
                                     const Element<Product>* Y, int atom, int lane) {
  const SnapTablesView& t = view.snap.tables;
  double sum = 0;
  for (int n = lane; n < t.half; n += warp_size) {
    const HalfPlace place = view.place[n];
    const int e = t.layer_start[place.j] + place.mb * (place.j + 1) + place.ma;
    const Element<Product> u = U[e * tile + atom];
    const double product = double(u.re) * double(Y[n].re) + double(u.im) * double(Y[n].im);
    sum += 2 * place.ma == place.j && 2 * place.mb == place.j ? product : 2 * product;
  }
  return sum;
}

/// Energy of an atom and gradients of its neighbours.
template <int most, class Real, class Product>
__global__ void __launch_bounds__(gradient_warps* warp_size)
    find_gradients(const __grid_constant__ GpuView<Product> view,
                   const __grid_constant__ GpuRowsView rows, const std::int32_t* type,
                   const __grid_constant__ Work<Product> work, double* energy,
                   Vec3<double>* gradient, bool adds) {
  // Folded elements of Y: each lane computes one, and all lanes read them.
  __shared__ Element<Real> folded_of_warps[gradient_warps][most + 1][4];
  cuda::wait_for_predecessor();
  const SnapTablesView& t = view.snap.tables;
  const int warp = threadIdx.x / warp_size, lane = threadIdx.x % warp_size;
  const Index n = Index(blockIdx.x) * gradient_warps + warp;
  if (n >= work.atoms) return;
  const Index atom = work.first + n;
  const int channels = view.snap.channels, count = rows.count[atom];
  const int element = view.element_of_type[type[atom]];
  Element<Real>(&folded)[most + 1][4] = folded_of_warps[warp];
  double cubic = 0;
  for (int channel = 0; channel < channels; ++channel) {
    const Element<Product>* Y = work.Y + (n * channels + channel) * t.half;
    cubic += contracted_of_lane(view, work.U + (n / tile * channels + channel) * t.full * tile, Y,
                                static_cast<int>(n % tile), lane);
    for (int slot = lane; slot - lane < count; slot += warp_size) {
      const NeighbourRotation<Real> neighbour =
          neighbour_of_lane<Real>(view, rows, type, atom, slot, element, channel);
      Real sum[4] = {Real(0), Real(0), Real(0), Real(0)};
      walk_rows_in_registers<most>(t.twojmax, cayley_klein(neighbour),
                                   [&](int first, const Complex<Real>(&row)[most + 1], int size) {
                                     __syncwarp();
                                     if (lane < size)
                                       fold_element(view, Y, first + lane, folded[lane]);
                                     __syncwarp();
#pragma unroll
                                     for (int ma = 0; ma <= most; ++ma) {
                                       if (ma >= size) break;
#pragma unroll
                                       for (int p = 0; p < 4; ++p) {
                                         const Element<Real> y = folded[ma][p];
                                         sum[p] = sum[p] + y.re * row[ma].re + y.im * row[ma].im;
                                       }
                                     }
                                   });
      const Vec3<Real> found = gradient_of(neighbour, sum[0], {-sum[3], -sum[2], sum[1]});
      if (slot >= count) continue;
      const Index entry = rows.entry(atom, slot);
      // A neighbour is in one channel, and has the weight 0 in the others.
      const bool has_one = adds || channel > 0;
      Vec3<double> g{double(found.x), double(found.y), double(found.z)};
      if (has_one) g = gradient[entry] + g;
      gradient[entry] = g;
    }
  }
  for (int half = warp_size / 2; half > 0; half /= 2)
    cubic += __shfl_down_sync(every_lane, cubic, half);
  if (lane != 0) return;
  const double E = view.snap.linear ? view.element[element].constant + cubic / 3 : work.energy[n];
  energy[atom] = adds ? energy[atom] + E : E;
}

}  // namespace larmor::atoms::snap
