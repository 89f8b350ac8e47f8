#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/coupling_plan.hpp"
#include "larmor/atoms/potentials/snap/energy_function.hpp"
#include "larmor/atoms/potentials/snap/gpu_snap.hpp"
#include "larmor/atoms/potentials/snap/pair_shapes.hpp"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"

namespace larmor::atoms::snap {
namespace {

constexpr unsigned every_lane = 0xffffffffu;
constexpr int warp_lanes = 32;
constexpr int density_warps = 4;
constexpr int gradient_warps = 4;

template <class Real>
struct alignas(2 * sizeof(Real)) Element {
  Real re, im;
};

/// Where an element of the half is.
struct HalfPlace {
  std::int16_t mb, j, ma;
};

/// A potential on a GPU.
template <class Real, class Product>
struct GpuView {
  SnapView snap;  ///< tables and shares on the GPU
  int types, components;  ///< components: of all channels
  const std::int32_t* element_of_type;
  const SnapElementView* element;   ///< [elements]
  const PairShape<double>* shape;   ///< (element, other)
  const HalfPlace* place;           ///< [half]
  const Product* coefficient;       ///< of columns
  const Product* coefficient_of_rows[2];  ///< [1]: where both factors are one matrix
  const Product* product;           ///< of linear potentials (element, channels^3, triples)
  const CouplingTerm* term;
  const CouplingPiece* piece;
  int pieces;
  const std::int32_t* terms_of_pairs;
  const std::int32_t* first_of_pair;
};

/// What kernels work in, of a portion of the atoms.
template <class Real, class Product>
struct Work {
  Index first, atoms;            ///< of the portion
  Element<Product>* U;           ///< (tile, channel, full, atom of the tile)
  Element<Product>* Y;           ///< (atom, channel, half)
  Real* folded;                  ///< (atom, half, 4, 2), null: in shared memory
  Product* components;           ///< (tile, component, atom of the tile), of quadratic potentials
  Product* slope;                ///< the same
  Product* product;              ///< (tile, channels^3 triples, atom of the tile)
  double* energy;                ///< of quadratic potentials [atoms]
};

/// Real numbers of an atom of a tile.
template <class Real>
struct Strided {
  Real* base;
  int stride;
  __device__ Real& operator[](Index n) const { return base[n * stride]; }
  __device__ Strided operator+(Index n) const { return {base + n * stride, stride}; }
};

template <class Real>
__device__ NeighbourRotation<Real> rotation_of(const RotationRule& rule,
                                               const PairShape<double>& shape,
                                               const Vec3<double>& r) {
  const PairShape<Real> s{Real(shape.cutoff), Real(shape.weight), Real(shape.inner_middle),
                          Real(shape.inner_half_width)};
  return neighbour_rotation<Real>(rule, s, {Real(r.x), Real(r.y), Real(r.z)});
}

/// The neighbour of a lane; of weight 0 where there is none, or none of this channel.
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

template <int tile, class Real, class Product>
__global__ void __launch_bounds__(density_warps* warp_lanes)
    find_densities(const __grid_constant__ GpuView<Real, Product> view,
                   const __grid_constant__ GpuRowsView rows, const std::int32_t* type,
                   const __grid_constant__ Work<Real, Product> work) {
  extern __shared__ __align__(16) char shared[];
  const SnapTablesView& t = view.snap.tables;
  const int warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const int of_warp = 2 * t.half + warp_lanes * (warp_lanes + 1);
  Real* const sum = reinterpret_cast<Real*>(shared) + warp * of_warp;
  Real* const values = sum + 2 * t.half;
  const Index n = Index(blockIdx.x) * density_warps + warp;
  if (n >= work.atoms) return;
  const Index atom = work.first + n;
  const int element = view.element_of_type[type[atom]];
  const int own_channel = view.element[element].channel;
  const int count = rows.count[atom];
  for (int channel = 0; channel < view.snap.channels; ++channel) {
    for (int k = lane; k < 2 * t.half; k += warp_lanes) sum[k] = Real(0);
    for (int begin = 0; begin < count; begin += warp_lanes) {
      const NeighbourRotation<Real> neighbour =
          neighbour_of_lane<Real>(view, rows, type, atom, begin + lane, element, channel);
      const int live = min(warp_lanes, count - begin);
      const auto flush = [&](int first, int numbers) {
        __syncwarp();
        if (lane < numbers) {
          Real total(0);
          for (int other = 0; other < live; ++other)
            total += values[lane * (warp_lanes + 1) + other];
          sum[first + lane] += total;
        }
        __syncwarp();
      };
      const CayleyKlein<Real> g[1] = {cayley_klein(neighbour)};
      walk_rows(t.twojmax, g, [&](int e, const Elements<1, Real>& v) {
        const int k = 2 * e % warp_lanes;
        values[k * (warp_lanes + 1) + lane] = neighbour.weight * v.v[0].re;
        values[(k + 1) * (warp_lanes + 1) + lane] = neighbour.weight * v.v[0].im;
        if (k + 2 == warp_lanes || e + 1 == t.half) flush(2 * e - k, k + 2);
      });
    }
    __syncwarp();
    const Real self(view.snap.self_in_all || channel == own_channel ? 1.0 : 0.0);
    Element<Product>* U = work.U + ((n / tile * view.snap.channels + channel) * t.full) * tile + n % tile;
    for (int k = lane; k < t.half; k += warp_lanes) {
      const HalfPlace place = view.place[k];
      const Real norm(t.norm[k]);
      Complex<Real> u{norm * sum[2 * k], norm * sum[2 * k + 1]};
      if (place.ma == place.mb) u.re += self;
      const Complex<Real> other = mirrored(place.ma + place.mb, u);
      const int layer = t.layer_start[place.j], size = place.j + 1;
      const int here = layer + place.mb * size + place.ma;
      const int there = layer + (place.j - place.mb) * size + place.j - place.ma;
      U[Index(there) * tile] = {Product(other.re), Product(other.im)};
      U[Index(here) * tile] = {Product(u.re), Product(u.im)};
    }
    __syncwarp();
  }
}

/// Z[layer] += c_b[layer] sum_k c_a[layer][k] u[k] u'[-k] of `count` elements of two rows.
template <int count, int layers, int tile, class Product>
__device__ void couple_row(const Element<Product>* u, const Element<Product>* other, int direction,
                           int low, int high, const Product* c_a, int columns, const Product* c_b,
                           int row_stride, Complex<Product> (&Z)[layers]) {
  Complex<Product> product[count];
#pragma unroll
  for (int k = 0; k < count; ++k) {
    const Element<Product> x = u[k * direction], y = other[-k * direction];
    product[k] = Complex<Product>{x.re, x.im} * Complex<Product>{y.re, y.im};
  }
#pragma unroll
  for (int layer = 0; layer < layers; ++layer) {
    if (layer < low || layer >= high) continue;
    const Product* c = c_a + (layer - low) * columns;
    Complex<Product> sum = c[0] * product[0];
#pragma unroll
    for (int k = 1; k < count; ++k) {
      sum.re += c[k] * product[k].re;
      sum.im += c[k] * product[k].im;
    }
    const Product of_row = c_b[(layer - low) * row_stride];
    Z[layer].re += of_row * sum.re;
    Z[layer].im += of_row * sum.im;
  }
}

/// Which rows of a term a lane takes, and in which direction it reads them.
struct LaneOfTile {
  int mirrored, row, row_step;
};

template <int tile>
__device__ LaneOfTile lane_of_tile(int lane, int mirrored) {
  constexpr int shares = warp_lanes / tile;
  const int share = lane / tile;
  if (mirrored == 0) return {0, share, shares};
  return {share % 2, share / 2, shares / 2};
}

/// Z of the layers of a piece from one term, the rows of this lane.
template <int layers, int tile, class Real, class Product>
__device__ void couple_term(const GpuView<Real, Product>& view, const CouplingTerm& term, bool same,
                            const LaneOfTile& lane, const Element<Product>* U,
                            const Element<Product>* other, Complex<Product> (&Z)[layers]) {
  const bool alike = same && term.rows_alike > 0;
  const int rows = alike ? term.rows_alike : term.rows;
  const Product* c_b = view.coefficient_of_rows[alike] + term.of_rows;
  const Product* c_a = view.coefficient + term.of_columns;
  const int first = lane.mirrored ? term.mirrored_first : term.first;
  const int last = lane.mirrored ? term.mirrored_other : term.other;
  const int direction = lane.mirrored ? -tile : tile;
  for (int row = lane.row; row < rows; row += lane.row_step) {
    const Element<Product>* x = U + (first + row * term.first_step) * tile;
    const Element<Product>* y = other + (last - row * term.other_step) * tile;
    for (int k = 0; k < term.columns; k += most_products) {
      const auto couple = [&]<int count>(std::integral_constant<int, count>) {
        couple_row<count, layers, tile, Product>(x + k * direction, y - k * direction, direction,
                                                 term.low, term.high, c_a + k, term.columns,
                                                 c_b + row, term.row_stride, Z);
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
  }
}

/// U of all channels of a tile as kernels read it: in shared memory where that has room.
template <int tile, class Product>
__device__ const Element<Product>* tile_of_densities(const Element<Product>* U, Index numbers,
                                                     bool staged, char* shared) {
  if (!staged) return U;
  const auto* from = reinterpret_cast<const uint4*>(U);
  auto* to = reinterpret_cast<uint4*>(shared);
  const Index words = numbers * Index(sizeof(Element<Product>)) / Index(sizeof(uint4));
  for (Index n = threadIdx.x; n < words; n += blockDim.x) to[n] = from[n];
  return reinterpret_cast<const Element<Product>*>(shared);
}

/// The next piece of work of a warp.
__device__ int next_piece(int* counter, int lane) {
  int piece = 0;
  if (lane == 0) piece = atomicAdd(counter, 1);
  return __shfl_sync(every_lane, piece, 0);
}

/// Sum over lanes that share an atom, `stride` apart from each other.
template <class Product>
__device__ Product sum_of_shares(Product x, int stride) {
  for (; stride < warp_lanes; stride *= 2) x += __shfl_xor_sync(every_lane, x, stride);
  return x;
}

/// Y of a tile of atoms.
template <int layers, int tile, class Real, class Product>
__global__ void __launch_bounds__(layers > 6 ? 512 : 256, layers > 6 ? 1 : 2)
    find_adjoints(const __grid_constant__ GpuView<Real, Product> view, const std::int32_t* type,
                  const __grid_constant__ Work<Real, Product> work, bool staged) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels, lane = threadIdx.x % warp_lanes;
  const Index numbers = Index(channels) * t.full * tile;
  const Element<Product>* U = tile_of_densities<tile>(work.U + blockIdx.x * numbers, numbers, staged, shared);
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  const int place = lane % tile;
  const Index n = Index(blockIdx.x) * tile + place;
  const bool exists = n < work.atoms;
  const int element = view.element_of_type[type[work.first + (exists ? n : 0)]];
  const int coefficients = channels * channels * channels * t.triples;
  // Those of a linear potential are the element's, others the atom's.
  const Product* of_products = view.snap.linear
                                   ? view.product + Index(element) * coefficients
                                   : work.product + Index(blockIdx.x) * coefficients * tile + place;
  const int stride = view.snap.linear ? 1 : tile;
  while (true) {
    const int work_item = next_piece(&counter, lane);
    if (work_item >= view.pieces * channels) return;
    const CouplingPiece piece = view.piece[work_item / channels];
    const int m = work_item % channels;
    const LaneOfTile role = lane_of_tile<tile>(lane, piece.mirrored);
    Complex<Product> Y[layers];
#pragma unroll
    for (int layer = 0; layer < layers; ++layer) Y[layer] = {Product(0), Product(0)};
    for (int k = 0; k < channels; ++k)
      for (int l = 0; l < channels; ++l) {
        const Element<Product>* first = U + Index(k) * t.full * tile + place;
        const Element<Product>* second = U + Index(l) * t.full * tile + place;
        const int of_channels = ((k * channels + l) * channels + m) * t.triples;
        for (int i = piece.begin; i < piece.end; ++i) {
          const CouplingTerm term = view.term[i];
          Complex<Product> Z[layers];
#pragma unroll
          for (int layer = 0; layer < layers; ++layer) Z[layer] = {Product(0), Product(0)};
          couple_term<layers, tile>(view, term, k == l, role, first, second, Z);
          Product sign(role.mirrored ? term.sign : 1);
#pragma unroll
          for (int layer = 0; layer < layers; ++layer) {
            if (layer < term.low || layer >= term.high) continue;
            const Product c = sign * of_products[(of_channels + term.triple + layer - term.low) * stride];
            Y[layer].re += c * Z[layer].re;
            Y[layer].im += c * Z[layer].im;
            if (role.mirrored) sign = -sign;
          }
        }
      }
    Element<Product>* of_atom = work.Y + (n * channels + m) * t.half;
#pragma unroll
    for (int layer = 0; layer < layers; ++layer) {
      const int j = piece.lowest_j + 2 * layer;
      const int between = piece.mirrored ? 2 * tile : tile;
      const Product re = sum_of_shares(Y[layer].re, between);
      const Product im = sum_of_shares(Y[layer].im, between);
      if (j > t.twojmax || !exists || role.row != 0) continue;
      const int mb = (piece.q + j) / 2, ma = ((role.mirrored ? -piece.p : piece.p) + j) / 2;
      of_atom[t.row_start[j][mb] + ma] = {re, im};
    }
  }
}

/// B of a tile of atoms, for potentials that are not linear.
template <int layers, int tile, class Real, class Product>
__global__ void __launch_bounds__(256)
    find_components(const __grid_constant__ GpuView<Real, Product> view, const std::int32_t* type,
                    const __grid_constant__ Work<Real, Product> work, bool staged) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels, lane = threadIdx.x % warp_lanes;
  const Index numbers = Index(channels) * t.full * tile;
  const Element<Product>* U = tile_of_densities<tile>(work.U + blockIdx.x * numbers, numbers, staged, shared);
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  const int place = lane % tile;
  const Index n = Index(blockIdx.x) * tile + place;
  const int element = view.element_of_type[type[work.first + (n < work.atoms ? n : 0)]];
  const double* zero = view.element[element].zero;
  Product* B = work.components + Index(blockIdx.x) * view.components * tile + place;
  const int cubed = channels * channels * channels;
  while (true) {
    const int work_item = next_piece(&counter, lane);
    if (work_item >= t.pairs * cubed) return;
    const int pair = work_item / cubed, m = work_item % channels;
    const int l = work_item / channels % channels, k = work_item / channels / channels % channels;
    const Element<Product>* first = U + Index(k) * t.full * tile + place;
    const Element<Product>* second = U + Index(l) * t.full * tile + place;
    const Element<Product>* third = U + Index(m) * t.full * tile + place;
    const int lowest = t.pair_j1[pair] - t.pair_j2[pair];
    // Layers of a pair are those of its terms from j1 - j2 on.
    Product sum[2 * layers];
#pragma unroll
    for (int layer = 0; layer < 2 * layers; ++layer) sum[layer] = Product(0);
    for (int i = view.first_of_pair[pair]; i < view.first_of_pair[pair + 1]; ++i) {
      const CouplingTerm term = view.term[view.terms_of_pairs[i]];
      const CouplingPiece piece = view.piece[term.piece];
      const LaneOfTile role = lane_of_tile<tile>(lane, piece.mirrored);
      Complex<Product> Z[layers];
#pragma unroll
      for (int layer = 0; layer < layers; ++layer) Z[layer] = {Product(0), Product(0)};
      couple_term<layers, tile>(view, term, k == l, role, first, second, Z);
      Product sign(role.mirrored ? term.sign : 1);
#pragma unroll
      for (int layer = 0; layer < layers; ++layer) {
        if (layer < term.low || layer >= term.high) continue;
        const int j = piece.lowest_j + 2 * layer;
        const int mb = (piece.q + j) / 2, ma = ((role.mirrored ? -piece.p : piece.p) + j) / 2;
        const Product whole = sign * Product(2 * ma == j && 2 * mb == j ? 1 : 2);
        const Element<Product> u = third[(t.layer_start[j] + mb * (j + 1) + ma) * tile];
        const Product part = whole * (u.re * Z[layer].re + u.im * Z[layer].im);
#pragma unroll
        for (int to = 0; to < 2 * layers; ++to)
          if (to == (j - lowest) / 2) sum[to] += part;
        if (role.mirrored) sign = -sign;
      }
    }
#pragma unroll
    for (int layer = 0; layer < 2 * layers; ++layer) {
      const Product total = sum_of_shares(sum[layer], tile);
      const int j = lowest + 2 * layer;
      if (j > min(t.twojmax, t.pair_j1[pair] + t.pair_j2[pair])) continue;
      const int component = t.component[t.pair_triple[pair] + layer];
      if (component < 0 || lane >= tile) continue;
      const int number = ((k * channels + l) * channels + m) * t.components + component;
      B[number * tile] = total * Product(view.snap.normalised ? 1.0 / (j + 1) : 1.0) - Product(zero[number]);
    }
  }
}

/// Energy of a quadratic potential and the coefficients of products, a thread an atom.
template <int tile, class Real, class Product>
__global__ void find_slopes(const __grid_constant__ GpuView<Real, Product> view,
                            const std::int32_t* type,
                            const __grid_constant__ Work<Real, Product> work) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= work.atoms) return;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels;
  const Index block = n / tile, place = n % tile;
  const auto of_atom = [&](Product* numbers, Index count) {
    return Strided<Product>{numbers + block * count * tile + place, tile};
  };
  const SnapElementView& element = view.element[view.element_of_type[type[work.first + n]]];
  const auto B = of_atom(work.components, view.components), slope = of_atom(work.slope, view.components);
  work.energy[n] = quadratic_energy<Product>(element, view.components, B, slope);
  find_product_coefficients<Product>(view.snap, slope, of_atom(work.product, Index(channels) * channels * channels * t.triples));
}

template <int tile, class Real, class Product>
__global__ void copy_components(const __grid_constant__ GpuView<Real, Product> view,
                                const __grid_constant__ Work<Real, Product> work, double* result) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= work.atoms * view.components) return;
  const Index atom = n / view.components, component = n % view.components;
  result[(work.first + atom) * view.components + component] =
      work.components[(atom / tile * view.components + component) * tile + atom % tile];
}

/// Energy of an atom and gradients of its neighbours.
template <int tile, class Real, class Product>
__global__ void __launch_bounds__(gradient_warps* warp_lanes)
    find_gradients(const __grid_constant__ GpuView<Real, Product> view,
                   const __grid_constant__ GpuRowsView rows, const std::int32_t* type,
                   const __grid_constant__ Work<Real, Product> work, double* energy,
                   Vec3<double>* gradient, bool adds) {
  extern __shared__ __align__(16) char shared[];
  const SnapTablesView& t = view.snap.tables;
  const int warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const Index n = Index(blockIdx.x) * gradient_warps + warp;
  if (n >= work.atoms) return;
  const Index atom = work.first + n;
  const int channels = view.snap.channels, count = rows.count[atom];
  const int element = view.element_of_type[type[atom]];
  Real* const folded = work.folded ? work.folded + n * t.half * 8
                                   : reinterpret_cast<Real*>(shared) + Index(warp) * t.half * 8;
  double cubic = 0;
  for (int channel = 0; channel < channels; ++channel) {
    const Element<Product>* Y = work.Y + (n * channels + channel) * t.half;
    const Element<Product>* U =
        work.U + (n / tile * channels + channel) * t.full * tile + n % tile;
    for (int k = lane; k < t.half; k += warp_lanes) {
      const HalfPlace place = view.place[k];
      const bool is_middle = place.j == 2 * place.mb, is_centre = is_middle && place.ma == place.mb;
      const int row = k - place.ma;
      const auto y = [&](int ma) {
        const bool beyond = is_middle && ma > place.mb;
        const int from = row + (beyond ? place.j - ma : ma);
        const Real scale((is_middle ? 1.0 : 2.0) * t.norm[from]);
        const Complex<Real> here{scale * Real(Y[from].re), scale * Real(Y[from].im)};
        return beyond ? mirrored(place.j - ma + place.mb, here) : here;
      };
      Complex<Real> part[4];
      act_by_generators(place.j, place.ma, y(max(place.ma - 1, 0)), y(place.ma),
                        y(min(place.ma + 1, int(place.j))), part);
      const Real weight(is_middle && !is_centre ? 2.0 : 1.0);
      for (int p = 0; p < 4; ++p)
        reinterpret_cast<Element<Real>*>(folded)[4 * k + p] = {weight * part[p].re,
                                                               weight * part[p].im};
      const Element<Product> u = U[Index(t.layer_start[place.j] + place.mb * (place.j + 1) + place.ma) * tile];
      cubic += (is_centre ? 1.0 : 2.0) *
               (double(u.re) * double(Y[k].re) + double(u.im) * double(Y[k].im));
    }
    __syncwarp();
    for (int slot = lane; slot - lane < count; slot += warp_lanes) {
      const NeighbourRotation<Real> neighbour[1] = {
          neighbour_of_lane<Real>(view, rows, type, atom, slot, element, channel)};
      Vec3<Real> found[1];
      gradients_by_generators(t, neighbour, static_cast<const Real*>(folded), found);
      if (slot >= count) continue;
      const Index entry = rows.entry(atom, slot);
      // Of several channels a neighbour is in one, and has the weight 0 in the others.
      const bool has_one = adds || channel > 0;
      Vec3<double> g{double(found[0].x), double(found[0].y), double(found[0].z)};
      if (has_one) g = gradient[entry] + g;
      gradient[entry] = g;
    }
    __syncwarp();
  }
  for (int half = warp_lanes / 2; half > 0; half /= 2)
    cubic += __shfl_down_sync(every_lane, cubic, half);
  if (lane != 0) return;
  const double E = view.snap.linear ? view.element[element].constant + cubic / 3 : work.energy[n];
  energy[atom] = adds ? energy[atom] + E : E;
}

template <class T>
Array<T> on(const Device& device, const std::vector<T>& numbers) {
  return Array<T>(device, std::span<const T>(numbers));
}

template <class To>
std::vector<To> converted(std::span<const double> numbers) {
  return std::vector<To>(numbers.begin(), numbers.end());
}

constexpr int tile_of(int twojmax) { return twojmax > 10 ? 8 : 16; }

}  // namespace

class GpuSnap::Kernels {
 public:
  virtual ~Kernels() = default;
  virtual int components() const = 0;
  virtual void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                        Vec3<double>* gradient, bool adds, cudaStream_t stream) = 0;
  virtual void bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                          cudaStream_t stream) = 0;
};

template <class Real, class Product>
class GpuSnap::KernelsIn : public Kernels {
 public:
  KernelsIn(const SnapPotential& potential, std::span<const std::int32_t> element_of_type,
            const Device& device, double most_bytes);

  int components() const override { return view_.components; }
  void evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                Vec3<double>* gradient, bool adds, cudaStream_t stream) override;
  void bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                  cudaStream_t stream) override;

 private:
  void choose_memory(int shared_of_block);
  void make_room(Index atoms, bool components);
  /// visit(work) of every portion of the atoms.
  template <class Visit>
  void in_portions(Index atoms, bool components, const Visit& visit);
  template <int layers, int tile>
  void launch(const GpuRowsView& rows, const std::int32_t* type, const Work<Real, Product>& work,
              double* energy, Vec3<double>* gradient, bool adds, double* components,
              cudaStream_t stream);
  /// call(layers, tile) as constants.
  template <class Call>
  void with_shape(const Call& call) const;

  Device device_;
  SnapTables tables_;
  int tile_;
  double most_bytes_;
  GpuView<Real, Product> view_{};
  std::size_t density_bytes_, tile_bytes_, gradient_bytes_;
  bool staged_ = true, folds_in_shared_ = true;

  Array<std::int32_t> element_of_type_, terms_of_pairs_, first_of_pair_;
  Array<int> pair_j1_, pair_j2_, pair_triple_, component_;
  Array<SnapElementView> element_;
  Array<PairShape<double>> shape_;
  Array<HalfPlace> place_;
  Array<Product> coefficient_, coefficient_of_half_, product_;
  Array<double> norm_, zero_, of_elements_;
  Array<ProductShare> share_;
  Array<CouplingTerm> term_;
  Array<CouplingPiece> piece_;

  Index room_ = 0;
  bool room_for_components_ = false;
  Array<Element<Product>> U_, Y_;
  Array<Real> folded_;
  Array<Product> components_, slope_, product_of_atom_;
  Array<double> energy_;
};

template <class Real, class Product>
GpuSnap::KernelsIn<Real, Product>::KernelsIn(const SnapPotential& potential,
                                             std::span<const std::int32_t> element_of_type,
                                             const Device& device, double most_bytes)
    : device_(device),
      tables_(potential.parameters.twojmax),
      tile_(tile_of(tables_.twojmax())),
      most_bytes_(most_bytes),
      element_of_type_(device, element_of_type) {
  const EnergyFunction function(potential, tables_);
  const SnapTablesView& t = tables_.view();
  const CouplingPlan plan(t);
  const SnapParameters& p = potential.parameters;
  const int elements = static_cast<int>(potential.elements.size());
  const auto components = static_cast<Index>(function.components());

  std::vector<HalfPlace> places;
  for (int mb = 0; 2 * mb <= t.twojmax; ++mb)
    for (int j = 2 * mb; j <= t.twojmax; ++j)
      for (int ma = 0; ma <= (j == 2 * mb ? mb : j); ++ma)
        places.push_back({static_cast<std::int16_t>(mb), static_cast<std::int16_t>(j),
                          static_cast<std::int16_t>(ma)});
  std::vector<PairShape<double>> shapes;
  std::vector<double> products, zeros, of_elements;
  std::vector<SnapElementView> views;
  const Index numbers = function.is_linear() ? components : components * (components + 3) / 2;
  zero_ = Array<double>(device, components * elements);
  of_elements_ = Array<double>(device, numbers * elements);
  for (int e = 0; e < elements; ++e) {
    for (int other = 0; other < elements; ++other) shapes.push_back(pair_shape(potential, e, other));
    double constant = function.constant(e);
    const std::span<const double> beta = function.linear(e);
    if (function.is_linear()) {
      const std::vector<double> of_products = function.of_products(beta);
      products.insert(products.end(), of_products.begin(), of_products.end());
      constant -= std::inner_product(function.zero(e).begin(), function.zero(e).end(), beta.begin(), 0.0);
    }
    zeros.insert(zeros.end(), function.zero(e).begin(), function.zero(e).end());
    of_elements.insert(of_elements.end(), beta.data(), beta.data() + numbers);
    views.push_back({potential.channel(e), constant, nullptr, zero_.data() + e * components,
                     of_elements_.data() + e * numbers});
  }
  zero_.copy_from(zeros);
  of_elements_.copy_from(of_elements);

  const auto pairs = static_cast<std::size_t>(t.pairs);
  pair_j1_ = Array<int>(device, std::span<const int>(t.pair_j1, pairs));
  pair_j2_ = Array<int>(device, std::span<const int>(t.pair_j2, pairs));
  pair_triple_ = Array<int>(device, std::span<const int>(t.pair_triple, pairs));
  component_ = Array<int>(device, std::span<const int>(t.component, static_cast<std::size_t>(t.triples)));
  norm_ = Array<double>(device, std::span<const double>(t.norm, static_cast<std::size_t>(t.half)));
  coefficient_ = on(device, converted<Product>(tables_.coefficients()));
  coefficient_of_half_ = on(device, converted<Product>(tables_.coefficients_of_half()));
  product_ = on(device, converted<Product>(products));
  share_ = on(device, function.shares());
  element_ = on(device, views);
  shape_ = on(device, shapes);
  place_ = on(device, places);
  term_ = on(device, plan.terms);
  piece_ = on(device, plan.pieces);
  terms_of_pairs_ = on(device, plan.terms_of_pairs);
  first_of_pair_ = on(device, plan.first_of_pair);

  SnapTablesView tables = t;
  tables.pair_j1 = pair_j1_.data();
  tables.pair_j2 = pair_j2_.data();
  tables.pair_triple = pair_triple_.data();
  tables.component = component_.data();
  tables.norm = norm_.data();
  tables.pair_block = nullptr;
  tables.block = nullptr;
  tables.coefficient = tables.coefficient_of_half = nullptr;
  view_.snap = {tables, rotation_rule(p), potential.channels(), !p.chemflag || p.wselfallflag,
                function.is_linear(), p.bnormflag, share_.data()};
  view_.types = elements;
  view_.components = static_cast<int>(components);
  view_.element_of_type = element_of_type_.data();
  view_.element = element_.data();
  view_.shape = shape_.data();
  view_.place = place_.data();
  view_.coefficient = coefficient_.data();
  view_.coefficient_of_rows[0] = coefficient_.data();
  view_.coefficient_of_rows[1] = coefficient_of_half_.data();
  view_.product = product_.data();
  view_.term = term_.data();
  view_.piece = piece_.data();
  view_.pieces = static_cast<int>(plan.pieces.size());
  view_.terms_of_pairs = terms_of_pairs_.data();
  view_.first_of_pair = first_of_pair_.data();

  int shared = 0;
  cuda::check(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device.ordinal),
              "asking for the size of shared memory");
  choose_memory(shared);
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::choose_memory(int shared_of_block) {
  const SnapTablesView& t = view_.snap.tables;
  constexpr std::size_t most_folded = 96 << 10;  // So that two blocks fit.
  density_bytes_ = density_warps * (2 * static_cast<std::size_t>(t.half) + warp_lanes * (warp_lanes + 1)) * sizeof(Real);
  tile_bytes_ = static_cast<std::size_t>(view_.snap.channels * t.full * tile_) * sizeof(Element<Product>);
  gradient_bytes_ = gradient_warps * static_cast<std::size_t>(t.half) * 8 * sizeof(Real);
  staged_ = tile_bytes_ + 1024 <= static_cast<std::size_t>(shared_of_block);
  if (!staged_) tile_bytes_ = 0;
  folds_in_shared_ = gradient_bytes_ <= std::min(most_folded, static_cast<std::size_t>(shared_of_block));
  if (!folds_in_shared_) gradient_bytes_ = 0;
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::make_room(Index atoms, bool components) {
  const SnapTablesView& t = view_.snap.tables;
  const Index channels = view_.snap.channels, products = channels * channels * channels * t.triples;
  const Index of_products = components ? 2 * view_.components + products : 0;
  const double bytes_of_atom =
      static_cast<double>(channels * (t.full + t.half)) * sizeof(Element<Product>) +
      static_cast<double>(folds_in_shared_ ? 0 : t.half * 8) * sizeof(Real) +
      static_cast<double>(of_products) * sizeof(Product);
  const Index allowed = static_cast<Index>(most_bytes_ / bytes_of_atom) / tile_ * tile_;
  const Index whole = (atoms + tile_ - 1) / tile_ * tile_;
  const Index room = std::max<Index>(tile_, std::min(allowed, whole));
  if (room <= room_ && (room_for_components_ || !components)) return;
  U_ = {};
  Y_ = {};
  folded_ = {};
  U_ = Array<Element<Product>>(device_, room * channels * t.full);
  Y_ = Array<Element<Product>>(device_, room * channels * t.half);
  if (!folds_in_shared_) folded_ = Array<Real>(device_, room * t.half * 8);
  if (components) {
    components_ = Array<Product>(device_, room * view_.components);
    slope_ = Array<Product>(device_, room * view_.components);
    product_of_atom_ = Array<Product>(device_, room * products);
    energy_ = Array<double>(device_, room);
  }
  room_ = room;
  room_for_components_ = components;
}

template <class Real, class Product>
template <class Visit>
void GpuSnap::KernelsIn<Real, Product>::in_portions(Index atoms, bool components, const Visit& visit) {
  make_room(atoms, components);
  for (Index first = 0; first < atoms; first += room_) {
    visit(Work<Real, Product>{first, std::min(room_, atoms - first), U_.data(), Y_.data(),
                              folded_.data(), components_.data(), slope_.data(),
                              product_of_atom_.data(), energy_.data()});
    cuda::check(cudaGetLastError(), "starting a kernel");
  }
}

template <class Real, class Product>
template <class Call>
void GpuSnap::KernelsIn<Real, Product>::with_shape(const Call& call) const {
  const int twojmax = tables_.twojmax();
  if (twojmax > 10)
    call(std::integral_constant<int, layers_of_piece(most_twojmax)>(), std::integral_constant<int, tile_of(most_twojmax)>());
  else if (twojmax > 8)
    call(std::integral_constant<int, layers_of_piece(10)>(), std::integral_constant<int, tile_of(10)>());
  else
    call(std::integral_constant<int, layers_of_piece(8)>(), std::integral_constant<int, tile_of(8)>());
}

unsigned blocks_of(Index count, Index each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

template <class Kernel>
void allow_shared(const Kernel& kernel, std::size_t bytes) {
  cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "asking for shared memory");
}

template <class Real, class Product>
template <int layers, int tile>
void GpuSnap::KernelsIn<Real, Product>::launch(const GpuRowsView& rows, const std::int32_t* type,
                                               const Work<Real, Product>& work, double* energy,
                                               Vec3<double>* gradient, bool adds,
                                               double* components, cudaStream_t stream) {
  const auto densities = find_densities<tile, Real, Product>;
  const auto adjoints = find_adjoints<layers, tile, Real, Product>;
  const auto all_components = find_components<layers, tile, Real, Product>;
  const auto gradients = find_gradients<tile, Real, Product>;
  allow_shared(densities, density_bytes_);
  densities<<<blocks_of(work.atoms, density_warps), density_warps * warp_lanes, density_bytes_, stream>>>(view_, rows, type, work);
  const unsigned tiles = blocks_of(work.atoms, tile);
  if (components != nullptr || !view_.snap.linear) {
    allow_shared(all_components, tile_bytes_);
    all_components<<<tiles, 256, tile_bytes_, stream>>>(view_, type, work, staged_);
  }
  if (components != nullptr) {
    copy_components<tile><<<blocks_of(work.atoms * view_.components, 256), 256, 0, stream>>>(view_, work, components);
    return;
  }
  if (!view_.snap.linear)
    find_slopes<tile><<<blocks_of(work.atoms, 128), 128, 0, stream>>>(view_, type, work);
  allow_shared(adjoints, tile_bytes_);
  adjoints<<<tiles, layers > 6 ? 512 : 256, tile_bytes_, stream>>>(view_, type, work, staged_);
  allow_shared(gradients, gradient_bytes_);
  gradients<<<blocks_of(work.atoms, gradient_warps), gradient_warps * warp_lanes, gradient_bytes_, stream>>>(view_, rows, type, work, energy, gradient, adds);
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::evaluate(const GpuRowsView& rows, const std::int32_t* type,
                                                 double* energy, Vec3<double>* gradient, bool adds,
                                                 cudaStream_t stream) {
  in_portions(rows.atoms, !view_.snap.linear, [&](const Work<Real, Product>& work) {
    with_shape([&](auto layers, auto tile) {
      launch<layers, tile>(rows, type, work, energy, gradient, adds, nullptr, stream);
    });
  });
}

template <class Real, class Product>
void GpuSnap::KernelsIn<Real, Product>::bispectrum(const GpuRowsView& rows,
                                                   const std::int32_t* type, double* result,
                                                   cudaStream_t stream) {
  in_portions(rows.atoms, true, [&](const Work<Real, Product>& work) {
    with_shape([&](auto layers, auto tile) {
      launch<layers, tile>(rows, type, work, nullptr, nullptr, false, result, stream);
    });
  });
}

GpuSnap::GpuSnap(const SnapPotential& potential, std::span<const std::int32_t> element_of_type,
                 const Device& device, double most_bytes)
    : cutoff_(potential.largest_cutoff()) {
  switch (device.precision) {
    case Precision::double_numbers:
      kernels_ = std::make_unique<KernelsIn<double, double>>(potential, element_of_type, device, most_bytes);
      break;
    case Precision::mixed_numbers:
      kernels_ = std::make_unique<KernelsIn<double, float>>(potential, element_of_type, device, most_bytes);
      break;
    case Precision::single_numbers:
      kernels_ = std::make_unique<KernelsIn<float, float>>(potential, element_of_type, device, most_bytes);
  }
}

GpuSnap::~GpuSnap() = default;

int GpuSnap::components() const { return kernels_->components(); }

void GpuSnap::evaluate(const GpuRowsView& rows, const std::int32_t* type, double* energy,
                       Vec3<double>* gradient, bool adds, CUstream_st* stream) {
  kernels_->evaluate(rows, type, energy, gradient, adds, stream);
}

void GpuSnap::bispectrum(const GpuRowsView& rows, const std::int32_t* type, double* result,
                         CUstream_st* stream) {
  kernels_->bispectrum(rows, type, result, stream);
}

}  // namespace larmor::atoms::snap
