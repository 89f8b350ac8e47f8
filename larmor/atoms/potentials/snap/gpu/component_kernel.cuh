#pragma once
// Components of the bispectrum and the derivatives of the energy by these components. Potentials
// that are not linear need both before Y.

#include "larmor/atoms/potentials/snap/atom_kernel.hpp"
#include "larmor/atoms/potentials/snap/gpu/adjoint_kernel.cuh"

namespace larmor::atoms::snap {

/// The most layers to which a pair of layers couples.
inline constexpr int layers_of_pair = most_twojmax / 2 + 1;

/// B of a tile of atoms. A warp has a pair of layers, and sums over all coupling groups.
template <int layers, bool staged, class Product>
__global__ void __launch_bounds__(most_adjoint_threads)
    find_components(const __grid_constant__ GpuView<Product> view, const std::int32_t* type,
                    const __grid_constant__ Work<Product> work) {
  extern __shared__ __align__(16) char shared[];
  __shared__ int counter;
  const SnapTablesView& t = view.snap.tables;
  const int channels = view.snap.channels, lane = threadIdx.x % warp_size;
  const TileOfDensities<Product> U = densities_of_tile<staged>(view, work, shared, &counter);
  const Index n = Index(blockIdx.x) * tile + lane % tile;
  const int element = view.element_of_type[type[work.first + (n < work.atoms ? n : 0)]];
  const double* zero = view.element[element].zero;
  Product* B = work.components + Index(blockIdx.x) * view.components * tile + lane % tile;
  const int cubed = channels * channels * channels;
  while (true) {
    const int number = next_task(&counter, lane);
    if (number >= t.pairs * cubed) return;
    const int pair = number / cubed, m = number % channels;
    const int l = number / channels % channels, k = number / channels / channels % channels;
    const TileOfDensities<Product> third = U.of_channel(m, t.full);
    const int lowest = t.pair_j1[pair] - t.pair_j2[pair];
    Product sum[layers_of_pair];
#pragma unroll
    for (int layer = 0; layer < layers_of_pair; ++layer) sum[layer] = Product(0);
    for (int i = view.first_of_pair[pair]; i < view.first_of_pair[pair + 1]; ++i) {
      const CouplingTerm term = view.term[view.terms_of_pairs[i]];
      const CouplingGroup group = view.coupling_group[term.group];
      const LaneOfTile role(lane, group.mirrored);
      Complex<Product> Z[layers];
      couple_term(view, term, k == l, role, U.of_channel(k, t.full), U.of_channel(l, t.full), Z);
#pragma unroll
      for (int layer = 0; layer < layers; ++layer) {
        if (layer < term.low || layer >= term.high) continue;
        const int j = group.lowest_j + 2 * layer;
        const int mb = (group.q + j) / 2, ma = ((role.mirrored ? -group.p : group.p) + j) / 2;
        const Product whole(2 * ma == j && 2 * mb == j ? 1 : 2);
        const Complex<Product> u = third(t.layer_start[j] + mb * (j + 1) + ma, role.atom);
        const Product addend = whole * real_product(u, Z[layer]);
#pragma unroll
        for (int to = 0; to < layers_of_pair; ++to)
          if (to == (j - lowest) / 2) sum[to] += addend;
      }
    }
#pragma unroll
    for (int layer = 0; layer < layers_of_pair; ++layer) {
      const Product total = sum_of_shares(sum[layer], tile);
      const int j = lowest + 2 * layer;
      if (j > min(t.twojmax, t.pair_j1[pair] + t.pair_j2[pair]) || lane >= tile) continue;
      const int component = t.component[t.pair_triple[pair] + layer];
      if (component < 0) continue;
      const int place = ((k * channels + l) * channels + m) * t.components + component;
      B[place * tile] =
          total * Product(view.snap.normalised ? 1.0 / (j + 1) : 1.0) - Product(zero[place]);
    }
  }
}

/// Strided numbers of one atom of a tile.
template <class Real>
struct Strided {
  Real* base;
  int stride;
  __device__ Real& operator[](Index n) const { return base[n * stride]; }
  __device__ Strided operator+(Index n) const { return {base + n * stride, stride}; }
};

/// Energy of a quadratic potential and coefficients of products, with one thread per atom.
template <class Product>
__global__ void find_slopes(const __grid_constant__ GpuView<Product> view, const std::int32_t* type,
                            const __grid_constant__ Work<Product> work) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= work.atoms) return;
  const Index block = n / tile, place = n % tile;
  const auto of_atom = [&](Product* numbers, Index count) {
    return Strided<Product>{numbers + block * count * tile + place, tile};
  };
  const SnapElementView& element = view.element[view.element_of_type[type[work.first + n]]];
  const auto B = of_atom(work.components, view.components),
             slope = of_atom(work.slope, view.components);
  work.energy[n] = quadratic_energy<Product>(element, view.components, B, slope);
  find_product_coefficients<Product>(view.snap, slope, of_atom(work.product, view.products()));
}

/// Copies components to the order of callers. @param result (atom, component)
template <class Product>
__global__ void copy_components(const __grid_constant__ GpuView<Product> view,
                                const __grid_constant__ Work<Product> work, double* result) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= work.atoms * view.components) return;
  const Index atom = n / view.components, component = n % view.components;
  result[(work.first + atom) * view.components + component] =
      work.components[(atom / tile * view.components + component) * tile + atom % tile];
}

}  // namespace larmor::atoms::snap
