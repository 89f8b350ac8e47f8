#pragma once
// Z of a coupling group (coupling_plan.hpp) without tensor cores. A lane has an atom of the tile
// and some rows of a term, in one of the two directions.

#include "larmor/atoms/potentials/snap/gpu/gpu_view.cuh"
#include "larmor/atoms/potentials/snap/products.hpp"

namespace larmor::atoms::snap {

/// The atom of a lane, its rows of a term, and whether they are at -p.
struct LaneOfTile {
  int atom, mirrored, row, row_step;

  __device__ LaneOfTile(int lane, int is_mirrored) : atom(lane % tile) {
    constexpr int shares = warp_size / tile;
    const int share = lane / tile;
    mirrored = is_mirrored ? share % 2 : 0;
    row = is_mirrored ? share / 2 : share;
    row_step = is_mirrored ? shares / 2 : shares;
  }
};

/// U of the atoms of a tile, in shared or global memory.
template <class Product>
struct TileOfDensities {
  const Element<Product>* U;
  int stride;  ///< from an element to the next

  __device__ Complex<Product> operator()(int e, int atom) const {
    const Element<Product> u = U[e * stride + atom];
    return {u.re, u.im};
  }
  __device__ TileOfDensities of_channel(int channel, int full) const {
    return {U + channel * full * stride, stride};
  }
};

/// Z[layer] += c_b[layer] sum_k c_a[layer][k] u[k] u'[-k] for `count` elements of two rows.
/// @param first, other elements of the first product @param direction 1, or -1 at -p
template <int count, int layers, class Product>
__device__ void couple_row(const TileOfDensities<Product>& U, int first,
                           const TileOfDensities<Product>& V, int other, int direction, int atom,
                           const CouplingTerm& term, const Product* c_a, const Product* c_b,
                           Complex<Product> (&Z)[layers]) {
  Complex<Product> product[count];
#pragma unroll
  for (int k = 0; k < count; ++k)
    product[k] = U(first + k * direction, atom) * V(other - k * direction, atom);
#pragma unroll
  for (int layer = 0; layer < layers; ++layer) {
    if (layer < term.low || layer >= term.high) continue;
    const Product* c = c_a + (layer - term.low) * term.columns;
    Complex<Product> sum = c[0] * product[0];
#pragma unroll
    for (int k = 1; k < count; ++k) sum = sum + c[k] * product[k];
    Z[layer] = Z[layer] + c_b[(layer - term.low) * term.row_stride] * sum;
  }
}

/// Adds one term to Z of the layers of a coupling group, for the rows of this lane.
/// @param same are the first and the second factor equal?
template <int layers, class Product>
__device__ void couple_term(const GpuView<Product>& view, const CouplingTerm& term, bool same,
                            const LaneOfTile& lane, const TileOfDensities<Product>& U,
                            const TileOfDensities<Product>& V, Complex<Product> (&Z)[layers]) {
  const bool alike = same && term.rows_alike > 0;
  const int rows = alike ? term.rows_alike : term.rows;
  const Product* c_b = view.coefficient_of_rows[alike] + term.of_rows;
  const Product* c_a = view.coefficient + term.of_columns;
  const int first = lane.mirrored ? term.mirrored_first : term.first;
  const int other = lane.mirrored ? term.mirrored_other : term.other;
  const int direction = lane.mirrored ? -1 : 1;
#pragma unroll
  for (int layer = 0; layer < layers; ++layer) Z[layer] = {Product(0), Product(0)};
  for (int row = lane.row; row < rows; row += lane.row_step)
    for (int k = 0; k < term.columns; k += most_products) {
      const auto couple = [&]<int count>(std::integral_constant<int, count>) {
        couple_row<count, layers>(U, first + row * term.first_step + k * direction, V,
                                  other - row * term.other_step - k * direction, direction,
                                  lane.atom, term, c_a + k, c_b + row, Z);
      };
      switch (term.columns - k) {
        case 1:
          couple(std::integral_constant<int, 1>());
          break;
        case 2:
          couple(std::integral_constant<int, 2>());
          break;
        case 3:
          couple(std::integral_constant<int, 3>());
          break;
        case 4:
          couple(std::integral_constant<int, 4>());
          break;
        case 5:
          couple(std::integral_constant<int, 5>());
          break;
        case 6:
          couple(std::integral_constant<int, 6>());
          break;
        case 7:
          couple(std::integral_constant<int, 7>());
          break;
        default:
          couple(std::integral_constant<int, most_products>());
      }
    }
  if (lane.mirrored == 0) return;
#pragma unroll
  for (int layer = 0; layer < layers; ++layer)
    if ((layer - term.low) % 2 == 0 ? term.sign < 0 : term.sign > 0)
      Z[layer] = {-Z[layer].re, -Z[layer].im};
}

/// Sum over the lanes of an atom, which are `stride` apart.
template <class Product>
__device__ Product sum_of_shares(Product x, int stride) {
  for (; stride < warp_size; stride *= 2) x += __shfl_xor_sync(every_lane, x, stride);
  return x;
}

}  // namespace larmor::atoms::snap
