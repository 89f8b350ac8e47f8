// Swendsen-Wang and Wolff updates of Ising and Potts states on a GPU. For a grid of two to four
// axes, a block of threads unites the sites of a tile in shared memory. Ballots give masks of the
// active bonds of 32 sites along x, and each lane keeps the masks of one row. A run of bits means
// connected sites along x. Only the first bond between two adjacent runs is used. The next kernel
// draws the bonds across borders of tiles, and unites trees in global memory. In the last kernel,
// every site takes the state of its root. The host does not wait. Graphs and chains are united only
// in global memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <optional>
#include <type_traits>

#include "larmor/clusters/gpu_parents.cuh"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"
#include "larmor/ising/clusters/gpu_slab.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
constexpr unsigned whole_warp = 0xffffffffu;

using Word = unsigned long long;

using clusters::FinishedParents;
using clusters::GlobalParents;
using clusters::TileParents;

/// The trees of all replicas and, if clusters are measured, their sizes. At first, the roots of
/// tiles or single sites have sizes. In the end, the roots of whole clusters have sizes, and all
/// other sites have size 0.
struct Forest {
  std::uint32_t* parent;  ///< (replica, site)
  std::uint32_t* size;    ///< null: not measured

  __device__ GlobalParents trees(Index replica, Index sites) const {
    return {parent + replica * sites};
  }
  __device__ FinishedParents finished(Index replica, Index sites) const {
    return {parent + replica * sites};
  }
};

/// Division of a tile among the warps of a block. A warp has 32 sites along x and 32 rows, one row
/// per lane; warps are adjacent along the axes.
template <int axes>
__host__ __device__ constexpr int warps_of_tile(int axis) {
  if (axes == 2) return axis == 0 ? 2 : axis == 1 ? 4 : 1;
  if (axes == 3) return axis == 1 ? 2 : axis == 2 ? 4 : 1;
  return axis == 0 ? 1 : 2;
}
/// Number of sites of a warp along an axis.
template <int axes>
__host__ __device__ constexpr int side_of_warp(int axis) {
  if (axis == 0) return warp_size;
  if (axes == 2) return axis == 1 ? 32 : 1;
  if (axes == 3) return axis == 1 ? 8 : axis == 2 ? 4 : 1;
  return axis == 3 ? 2 : 4;
}

/// Number of sites of a tile along an axis.
template <int axes>
__host__ __device__ constexpr int side_of_tile(int axis) {
  return warps_of_tile<axes>(axis) * side_of_warp<axes>(axis);
}
constexpr int sites_of_tile = block_threads * warp_size;

/// Number of tiles of a grid along its axes.
struct Tiling {
  unsigned count[4];
};

/// A row of a tile: 32 sites along x. Rows are numbered along y first.
template <int axes>
struct TileRow {
  static constexpr int side_y = side_of_tile<axes>(1), side_z = side_of_tile<axes>(2);
  int x, y, z, w;  ///< coordinates of the row's first site in the tile

  /// @param warp number in the block @param n number of the row in the warp
  __device__ TileRow(int warp, int n) {
    constexpr int ny = side_of_warp<axes>(1), nz = side_of_warp<axes>(2);
    constexpr int wx = warps_of_tile<axes>(0), wy = warps_of_tile<axes>(1),
                  wz = warps_of_tile<axes>(2);
    x = warp % wx * warp_size;
    y = warp / wx % wy * ny + n % ny;
    z = warp / (wx * wy) % wz * nz + n / ny % nz;
    w = warp / (wx * wy * wz) * side_of_warp<axes>(3) + n / (ny * nz);
  }
  __device__ int coordinate(int axis) const { return axis == 1 ? y : axis == 2 ? z : w; }
  __device__ int number() const { return y + side_y * (z + side_z * w); }
  /// Does the tile have the next row along an axis?
  __device__ bool has_next(int axis) const {
    return coordinate(axis) + 1 < side_of_tile<axes>(axis);
  }
  /// The difference of the numbers of a row and of the next row along an axis.
  __device__ static int step(int axis) {
    return axis == 1 ? 1 : axis == 2 ? side_y : side_y * side_z;
  }
};

/// Random words of the bonds of 32 consecutive sites along x, for each of two rows.
/// @param first_site number of the slab's first site @param site the site of this lane in each of
/// both rows
/// @param shared do rows begin where groups of words begin?
template <int axes>
__device__ void draw_words(const ClusterKeys& keys, Index replica, std::uint32_t first_site,
                           const std::uint32_t (&site)[2], bool shared,
                           std::uint32_t (&word)[2][axes]) {
  constexpr int words_shift = axes == 2 ? 1 : 2;
  const auto own = static_cast<std::uint64_t>(replica);
  const RandomKey key = keys.of(Stream::cluster_bond);
  if (axes == 2 && shared) {
    // Two sites that are eight apart share a call. The lane of the lower site computes the call for
    // the first row, and the lane of the upper site for the second row.
    const bool upper = (threadIdx.x & 8u) != 0;
    const std::uint32_t drawn = first_site + (upper ? site[1] : site[0]);
    const auto words = philox(key, word_place(drawn, 0, words_shift).call, own);
    const auto w = [&](int n) { return static_cast<std::uint32_t>(words.w[n]); };
    for (int axis = 0; axis < axes; ++axis) {
      const std::uint32_t got = __shfl_xor_sync(whole_warp, upper ? w(axis) : w(2 + axis), 8);
      word[0][axis] = upper ? got : w(axis);
      word[1][axis] = upper ? w(2 + axis) : got;
    }
    return;
  }
#pragma unroll
  for (int n = 0; n < 2; ++n) {
    const WordPlace place = word_place(first_site + site[n], 0, words_shift);
    const auto words = philox(key, place.call, own);
    for (int axis = 0; axis < axes; ++axis)
      word[n][axis] = static_cast<std::uint32_t>(chosen_word(words, place.word + axis));
  }
}

/// Unites the sites of a tile. @tparam one_kind do all bonds have one J?
template <int axes, bool one_kind, bool with_sizes>
__global__ void __launch_bounds__(block_threads)
    unite_tiles(const __grid_constant__ ClusterView view, const __grid_constant__ ClusterKeys keys,
                const __grid_constant__ Tiling tiling, const std::uint8_t* states, Forest forest) {
  constexpr int side_x = side_of_tile<axes>(0), words_x = side_x / warp_size;
  extern __shared__ std::uint32_t tile_memory[];
  std::uint32_t* const joined = tile_memory;  // bonds of each row to the next along x, as bits
  std::uint32_t* const parent = joined + block_threads;
  std::uint32_t* const counts =
      parent + sites_of_tile;  // size of each root, if clusters are measured
  const TileParents trees{parent};
  const clusters::GridView& grid = view.grid;
  const unsigned lane = threadIdx.x % warp_size;
  const int warp = static_cast<int>(threadIdx.x / warp_size);
  // Numbers of sites fit in 32 bits.
  std::uint32_t length[axes], stride[axes], origin[axes];
  std::uint32_t corner = 0, tile = blockIdx.x;
#pragma unroll
  for (int axis = 0; axis < axes; ++axis) {
    length[axis] = static_cast<std::uint32_t>(grid.length[axis]);
    stride[axis] = static_cast<std::uint32_t>(grid.stride[axis]);
    origin[axis] = tile % tiling.count[axis] * side_of_tile<axes>(axis);
    tile /= tiling.count[axis];
    corner += origin[axis] * stride[axis];
  }
  const auto place_of = [&](const TileRow<axes>& row, int axis) {
    return origin[axis] + static_cast<std::uint32_t>(row.coordinate(axis));
  };
  const auto is_inside = [&](const TileRow<axes>& row) {
    bool inside = true;
#pragma unroll
    for (int axis = 1; axis < axes; ++axis) inside = inside && place_of(row, axis) < length[axis];
    return inside;
  };
  const auto first_site = [&](const TileRow<axes>& row) {
    std::uint32_t site = corner + static_cast<std::uint32_t>(row.x);
#pragma unroll
    for (int axis = 1; axis < axes; ++axis)
      site += stride[axis] * static_cast<std::uint32_t>(row.coordinate(axis));
    return site;
  };
  const TileRow<axes> own(warp, static_cast<int>(lane));
  const std::uint32_t x = origin[0] + static_cast<std::uint32_t>(own.x) + lane;
  const bool x_inside = x < length[0];
  const bool joins_along_x = static_cast<int>(lane) + own.x + 1 < side_x && x + 1 < length[0];
  const bool shared = length[0] % 16 == 0;
  const auto run_start = [&](std::uint32_t along, std::uint32_t site) {
    // The run begins after the last earlier site that has no bond to its next site.
    const std::uint32_t gaps = ~along & ((1u << site) - 1);
    return gaps == 0 ? 0u : warp_size - static_cast<std::uint32_t>(__clz(static_cast<int>(gaps)));
  };
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const std::uint8_t* const spins = states + replica * view.sites;
    const std::uint32_t only_threshold = one_kind ? threshold_of(view, replica, 0) : 0;
    std::uint32_t bonds[axes] = {};  // bonds of this lane's row, as bits
#pragma unroll 1
    for (int n = 0; n < warp_size; n += 2) {
      std::uint32_t site[2], word[2][axes];
      bool inside[2];
#pragma unroll
      for (int m = 0; m < 2; ++m) {
        const TileRow<axes> row(warp, n + m);
        site[m] = first_site(row) + lane;
        inside[m] = x_inside && is_inside(row);
      }
      draw_words<axes>(keys, replica, label_of_site(view, 0), site, shared, word);
#pragma unroll
      for (int m = 0; m < 2; ++m) {
        const TileRow<axes> row(warp, n + m);
        const std::uint8_t state = inside[m] ? spins[site[m]] : std::uint8_t{0};
        std::uint32_t along = 0;
#pragma unroll
        for (int axis = 0; axis < axes; ++axis) {
          // Only bonds with the other end in the tile are used here.
          const bool is_in_tile =
              inside[m] &&
              (axis == 0 ? joins_along_x
                         : row.has_next(axis) && place_of(row, axis) + 1 < length[axis]);
          bool active = false;
          if (is_in_tile) {
            const std::uint8_t other = spins[site[m] + stride[axis]];
            if constexpr (one_kind) {
              active = is_satisfied(state, other, view.antiferromagnetic) &&
                       word[m][axis] < only_threshold;
            } else {
              const BondKind kind = bond_kind(
                  view, replica,
                  static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) +
                      site[m]);
              active = is_satisfied(state, other, kind.antiferromagnetic) &&
                       word[m][axis] < threshold_of(view, replica, kind.number);
            }
          }
          const std::uint32_t all = __ballot_sync(whole_warp, active);
          if (axis == 0) along = all;
          if (lane == static_cast<unsigned>(n + m)) bonds[axis] = all;
        }
        const int first = row.number() * side_x + row.x;
        parent[first + lane] = static_cast<std::uint32_t>(first) + run_start(along, lane);
        if constexpr (with_sizes) counts[first + lane] = 0;
      }
    }
    const int own_word = own.number() * words_x + own.x / warp_size;
    joined[own_word] = bonds[0];
    __syncthreads();
    // Only the first bond between two adjacent runs is needed.
    const int own_first = own.number() * side_x + own.x;
    if (bonds[0] >> 31 != 0) unite(trees, own_first + warp_size - 1, own_first + warp_size);
#pragma unroll
    for (int axis = 1; axis < axes; ++axis) {
      if (bonds[axis] == 0) continue;
      const int step = TileRow<axes>::step(axis);
      const std::uint32_t next = joined[own_word + step * words_x];
      std::uint32_t left = bonds[axis] & ~((bonds[axis] & bonds[0] & next) << 1);
      for (; left != 0; left &= left - 1) {
        const int site_of_tile = own_first + __ffs(static_cast<int>(left)) - 1;
        unite(trees, site_of_tile, site_of_tile + step * side_x);
      }
    }
    __syncthreads();
    if constexpr (with_sizes) {
      if (is_inside(own)) {
        const std::uint32_t begin = x - lane;
        const std::uint32_t here = length[0] > begin ? length[0] - begin : 0;
        const std::uint32_t valid = here < warp_size ? (1u << here) - 1 : whole_warp;
        for (std::uint32_t starts = valid & ~(bonds[0] << 1); starts != 0; starts &= starts - 1) {
          const std::uint32_t start =
              static_cast<std::uint32_t>(__ffs(static_cast<int>(starts))) - 1;
          const std::uint32_t later = starts & (starts - 1);
          const std::uint32_t end =
              later != 0 ? static_cast<std::uint32_t>(__ffs(static_cast<int>(later))) - 1
                         : (here < warp_size ? here : warp_size);
          atomicAdd(counts + find_root(trees, static_cast<std::uint32_t>(own_first) + start),
                    end - start);
        }
      }
      __syncthreads();
    }
    std::uint32_t* const to = forest.parent + replica * view.sites;
#pragma unroll 1
    for (int n = 0; n < warp_size; ++n) {
      const TileRow<axes> row(warp, n);
      const std::uint32_t along = __shfl_sync(whole_warp, bonds[0], n);
      if (!x_inside || !is_inside(row)) continue;
      const auto first = static_cast<std::uint32_t>(row.number() * side_x + row.x);
      const std::uint32_t root = find_root(trees, first + run_start(along, lane));
      const std::uint32_t root_row = root / side_x;
      std::uint32_t root_site =
          corner + root % side_x + stride[1] * (root_row % TileRow<axes>::side_y);
      if constexpr (axes > 2)
        root_site += stride[2] * (root_row / TileRow<axes>::side_y % TileRow<axes>::side_z);
      if constexpr (axes > 3)
        root_site += stride[3] * (root_row / (TileRow<axes>::side_y * TileRow<axes>::side_z));
      const std::uint32_t site = first_site(row) + lane;
      to[site] = root_site;
      if constexpr (with_sizes) forest.size[replica * view.sites + site] = counts[first + lane];
    }
    __syncthreads();
  }
}

/// Bonds across borders of tiles and around the grid. For each axis, such bonds begin at the last
/// planes of the tiles along this axis.
struct Borders {
  int side[4];
  Index planes[4];
  Index sites_of_plane[4];
  Index total;
};

__global__ void unite_borders(const __grid_constant__ ClusterView view,
                              const __grid_constant__ ClusterKeys keys,
                              const __grid_constant__ Borders borders, const std::uint8_t* states,
                              Forest forest) {
  Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= borders.total) return;
  int axis = 0;
  while (i >= borders.planes[axis] * borders.sites_of_plane[axis]) {
    i -= borders.planes[axis] * borders.sites_of_plane[axis];
    ++axis;
  }
  const clusters::GridView& grid = view.grid;
  const auto in_plane = static_cast<std::uint64_t>(i % borders.sites_of_plane[axis]);
  const auto plane = static_cast<std::uint64_t>(i / borders.sites_of_plane[axis]);
  const std::uint64_t end = (plane + 1) * static_cast<std::uint64_t>(borders.side[axis]);
  const std::uint64_t x = (end < grid.length[axis] ? end : grid.length[axis]) - 1;
  if (!has_bond(grid, x, axis)) return;
  const std::uint64_t stride = grid.stride[axis];
  const std::uint64_t site =
      in_plane % stride + stride * (x + grid.length[axis] * (in_plane / stride));
  const std::uint64_t other = next_site(grid, site, x, axis);
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    if (active_bond(view, keys, replica, states + replica * view.sites, site, x, axis))
      unite(forest.trees(replica, view.sites), static_cast<std::uint32_t>(site),
            static_cast<std::uint32_t>(other));
  }
}

/// Makes every site a separate tree.
__global__ void make_single_site_trees(Index numbers, Index sites, Forest forest) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= numbers) return;
  forest.parent[i] = static_cast<std::uint32_t>(i % sites);
  if (forest.size != nullptr) forest.size[i] = 1;
}

/// Number of units of work. A unit is a site of a grid, or a bond of a graph.
__host__ __device__ Index units_of(const ClusterView& view) {
  return view.grid.axes > 0 ? view.sites : view.edges.bonds;
}

/// Bits of the active bonds of a unit.
__device__ unsigned active_of_unit(const ClusterView& view, const ClusterKeys& keys, Index replica,
                                   const std::uint8_t* spins, Index unit) {
  if (view.grid.axes > 0)
    return active_bonds(view, keys, replica, spins, static_cast<std::uint64_t>(unit));
  return active_edge(view, keys, replica, spins, unit) ? 1u : 0u;
}

/// Calls join(site, site) for each active bond.
template <class Join>
__device__ void for_bonds(const ClusterView& view, Index unit, unsigned active, const Join& join) {
  if (view.grid.axes == 0) {
    if (active != 0) join(view.edges.ends[2 * unit], view.edges.ends[2 * unit + 1]);
    return;
  }
  const auto site = static_cast<std::uint64_t>(unit);
  for (int axis = 0; axis < view.grid.axes; ++axis)
    if ((active >> axis & 1u) != 0)
      join(static_cast<std::uint32_t>(site),
           static_cast<std::uint32_t>(
               next_site(view.grid, site, coordinate(view.grid, site, axis), axis)));
}

__global__ void unite_all(const __grid_constant__ ClusterView view,
                          const __grid_constant__ ClusterKeys keys, const std::uint8_t* states,
                          Forest forest) {
  const Index unit = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (unit >= units_of(view)) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const GlobalParents trees = forest.trees(replica, view.sites);
    const unsigned active =
        active_of_unit(view, keys, replica, states + replica * view.sites, unit);
    for_bonds(view, unit, active, [&](std::uint32_t a, std::uint32_t b) { unite(trees, a, b); });
  }
}

/// Label equivalence: draws the bonds of an update. @param active (replica, unit)
__global__ void draw_bonds(const __grid_constant__ ClusterView view,
                           const __grid_constant__ ClusterKeys keys, const std::uint8_t* states,
                           std::uint8_t* active) {
  const Index unit = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (unit >= units_of(view)) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y)
    active[replica * units_of(view) + unit] = static_cast<std::uint8_t>(
        active_of_unit(view, keys, replica, states + replica * view.sites, unit));
}

/// The root of each label takes the least label that a bond connects to it.
__global__ void compare_labels(const __grid_constant__ ClusterView view, const std::uint8_t* active,
                               Forest forest, int* changed) {
  const Index unit = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (unit >= units_of(view)) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const GlobalParents label = forest.trees(replica, view.sites);
    for_bonds(view, unit, active[replica * units_of(view) + unit],
              [&](std::uint32_t i, std::uint32_t j) {
                const std::uint32_t a = label.load(i), b = label.load(j);
                if (a == b) return;
                atomicMin(label.parent + (a < b ? b : a), a < b ? a : b);
                *changed = 1;
              });
  }
}

/// Every site takes the last label in the chain that begins with its own.
__global__ void follow_labels(const __grid_constant__ ClusterView view, Forest forest) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (site >= view.sites) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents label = forest.finished(replica, view.sites);
    const auto own = static_cast<std::uint32_t>(site);
    label.parent[own] = find_root(label, own);
  }
}

/// Adds the size of each tree that was hooked to another tree to the root of the whole cluster.
__global__ void gather_sizes(const __grid_constant__ ClusterView view, Forest forest) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents trees = forest.finished(replica, view.sites);
    std::uint32_t* const size = forest.size + replica * view.sites;
    const auto own = static_cast<std::uint32_t>(site);
    std::uint32_t root = own, count = 0;
    // This kernel changes only the sizes of final roots, and it does not read these sizes.
    if (site < view.sites && (root = find_root(trees, own)) != own) {
      count = size[site];
      if (count > 0) trees.parent[own] = root;
    }
    // Most trees belong to the largest cluster. Therefore a warp first sums the sizes that have the
    // root of the warp's first tree.
    const unsigned moving = __ballot_sync(whole_warp, count > 0);
    if (moving == 0) continue;
    const int leader = __ffs(static_cast<int>(moving)) - 1;
    const std::uint32_t most_likely = __shfl_sync(whole_warp, root, leader);
    const bool together = count > 0 && root == most_likely;
    std::uint32_t sum = together ? count : 0;
    for (int offset = warp_size / 2; offset > 0; offset /= 2)
      sum += __shfl_xor_sync(whole_warp, sum, offset);
    if (static_cast<int>(threadIdx.x % warp_size) == leader) atomicAdd(size + root, sum);
    if (count > 0 && !together) atomicAdd(size + root, count);
  }
}

/// Numbers of ClusterSums of a replica, in their order.
constexpr int numbers_of_sums = 4 + 33;

__device__ void add_cluster(Word* sums, Word size, bool in_histogram) {
  atomicAdd(sums, Word{1});
  atomicAdd(sums + 1, size);
  atomicAdd(sums + 2, size * size);
  atomicMax(sums + 3, size);
  if (in_histogram) atomicAdd(sums + 4 + (63 - __clzll(static_cast<long long>(size))), Word{1});
}

/// Every site takes the state on which the root of its tree decides. Roots count clusters.
/// @tparam shared may roots belong to other ranks?
/// @param all (replica, number), null: not measured
template <bool shared>
__global__ void assign_states(const __grid_constant__ ClusterView view,
                              const __grid_constant__ ClusterKeys keys, std::uint8_t* states,
                              Forest forest, Word* all, bool in_histogram) {
  __shared__ Word sums[numbers_of_sums];
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    if (all != nullptr) {
      if (threadIdx.x < numbers_of_sums) sums[threadIdx.x] = 0;
      __syncthreads();
    }
    const FinishedParents trees = forest.finished(replica, view.sites);
    std::uint8_t* const spins = states + replica * view.sites;
    for (Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x; site < view.sites;
         site += Index(gridDim.x) * blockDim.x) {
      const auto own = static_cast<std::uint32_t>(site);
      const std::uint32_t root =
          shared ? find_root_of_ranks(trees, own, view.sites) : find_root(trees, own);
      const std::uint32_t label = shared ? label_of_site(view, root) : root;
      spins[site] = new_state(view, spins[site], decision(view, label_word(keys, replica, label)));
      if (all == nullptr || root != own) continue;
      const std::uint32_t size = forest.size[replica * view.sites + site];
      if (is_counted(view, size)) add_cluster(sums, size_of_cluster(size), in_histogram);
    }
    if (all == nullptr) continue;
    __syncthreads();
    if (threadIdx.x < numbers_of_sums && sums[threadIdx.x] > 0) {
      Word* const total = all + replica * numbers_of_sums + threadIdx.x;
      if (threadIdx.x == 3)
        atomicMax(total, sums[3]);
      else
        atomicAdd(total, sums[threadIdx.x]);
    }
    __syncthreads();
  }
}

/// Gives the cluster of the seed another state. @param size number of sites of the cluster, for
/// each replica
__global__ void change_wolff_cluster(const __grid_constant__ ClusterView view,
                                     const __grid_constant__ ClusterKeys keys, std::uint8_t* states,
                                     Forest forest, Word* size) {
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents trees = forest.finished(replica, view.sites);
    std::uint8_t* const spins = states + replica * view.sites;
    const WolffSeed seed = wolff_seed(view, keys, replica);
    const std::uint32_t chosen = find_root(trees, static_cast<std::uint32_t>(seed.site));
    const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
    const bool turns =
        site < view.sites && find_root(trees, static_cast<std::uint32_t>(site)) == chosen;
    if (turns) spins[site] = turned_state(view, spins[site], seed.turn);
    const int count = __syncthreads_count(turns);
    if (threadIdx.x == 0 && count > 0) atomicAdd(size + replica, static_cast<Word>(count));
  }
}

/// Adds the Wolff clusters of all replicas, and resets their sizes.
__global__ void add_clusters(Index replicas, Word* size, Word* all, bool in_histogram) {
  const Index replica = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (replica >= replicas) return;
  if (all != nullptr) add_cluster(all + replica * numbers_of_sums, size[replica], in_histogram);
  size[replica] = 0;
}

__global__ void write_labels(const __grid_constant__ ClusterView view, Forest forest,
                             std::uint32_t* labels) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (site >= view.sites) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y)
    labels[replica * view.sites + site] =
        label_of_site(view, find_root_of_ranks(forest.finished(replica, view.sites),
                                               static_cast<std::uint32_t>(site), view.sites));
}

constexpr int most_states = 256;

/// @param all (replica, 1 + most_states): sum of the weights of satisfied bonds, then number of
/// sites in each state
__global__ void measure_states(const __grid_constant__ ClusterView view, const std::uint8_t* states,
                               Word* all) {
  __shared__ Word sums[1 + most_states];
  const Index units = units_of(view) > view.sites ? units_of(view) : view.sites;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    for (int n = static_cast<int>(threadIdx.x); n < 1 + most_states; n += block_threads)
      sums[n] = 0;
    __syncthreads();
    const std::uint8_t* const spins = states + replica * view.sites;
    Word satisfied = 0;
    unsigned in_first = 0;  // sites in state 0; for Ising spins this number gives that of state 1
    const auto add_bond = [&](std::uint64_t slot, std::uint64_t a, std::uint64_t b) {
      const BondKind kind = bond_kind(view, replica, slot);
      if (is_satisfied(spins[a], spins[b], kind.antiferromagnetic))
        satisfied += static_cast<Word>(weight_of(view, replica, kind.number));
    };
    for (Index unit = Index(blockIdx.x) * blockDim.x + threadIdx.x; unit < units;
         unit += Index(gridDim.x) * blockDim.x) {
      if (unit < view.sites) {
        if (view.states > 2)
          atomicAdd(sums + 1 + spins[unit], Word{1});
        else
          in_first += spins[unit] == 0 ? 1u : 0u;
      }
      if (view.grid.axes == 0) {
        if (unit < view.edges.bonds)
          add_bond(static_cast<std::uint64_t>(unit), view.edges.ends[2 * unit],
                   view.edges.ends[2 * unit + 1]);
        continue;
      }
      const auto site = static_cast<std::uint64_t>(unit);
      for (int axis = 0; axis < view.grid.axes; ++axis) {
        const std::uint64_t x = coordinate(view.grid, site, axis);
        if (has_bond(view.grid, x, axis))
          add_bond(static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site,
                   site, next_site(view.grid, site, x, axis));
      }
    }
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
      satisfied += __shfl_xor_sync(whole_warp, satisfied, offset);
      in_first += __shfl_xor_sync(whole_warp, in_first, offset);
    }
    if (threadIdx.x % warp_size == 0) {
      atomicAdd(sums, satisfied);
      if (view.states == 2) atomicAdd(sums + 1, Word{in_first});
    }
    __syncthreads();
    for (int n = static_cast<int>(threadIdx.x); n < 1 + view.states; n += block_threads)
      if (sums[n] > 0) atomicAdd(all + replica * (1 + most_states) + n, sums[n]);
    __syncthreads();
  }
}

class GpuClusters : public ClusterEngine {
 public:
  GpuClusters(const Device& device, ClusterMethod method, SlabClusters* slab)
      : device_(device), method_(method) {
    if (slab != nullptr) slab_.emplace(device, *slab);
  }

  void swendsen_wang(const ClusterView& view, const ClusterKeys& keys, std::uint8_t* states,
                     MeasureClusters measured) override {
    const bool with_sums = measured != MeasureClusters::no;
    find(view, keys, states, with_sums);
    if (with_sums) clear_sums(view.replicas);
    const Forest forest = forest_of(with_sums);
    if (with_sums)
      launch("cluster sizes", cuda::shape_of(view.sites, view.replicas), gather_sizes, view,
             forest);
    const bool in_histogram = measured == MeasureClusters::sums_and_histogram;
    if (slab_) slab_->merge(view, keys, states, forest.parent, forest.size, in_histogram);
    // Each thread has several sites, so that blocks add few sums.
    const Index sites_of_thread = with_sums ? 8 : 1;
    const auto kernel = slab_ ? assign_states<true> : assign_states<false>;
    launch("new states",
           cuda::shape_of((view.sites + sites_of_thread - 1) / sites_of_thread, view.replicas),
           kernel, view, keys, states, forest, with_sums ? sums_.data() : nullptr, in_histogram);
  }

  void wolff(const ClusterView& view, const ClusterKeys& keys, Index clusters, std::uint8_t* states,
             MeasureClusters measured) override {
    const bool with_sums = measured != MeasureClusters::no;
    if (with_sums) clear_sums(view.replicas);
    if (wolff_sizes_.size() != view.replicas) wolff_sizes_ = Array<Word>(device_, view.replicas);
    for (Index n = 0; n < clusters; ++n) {
      const ClusterKeys own{keys.seed, keys.step + static_cast<std::uint64_t>(n),
                            keys.first_replica};
      find(view, own, states, false);
      const Forest forest = forest_of(false);
      launch("Wolff cluster", cuda::shape_of(view.sites, view.replicas), change_wolff_cluster, view,
             own, states, forest, wolff_sizes_.data());
      launch("Wolff sums", cuda::shape_of(view.replicas), add_clusters, view.replicas,
             wolff_sizes_.data(), with_sums ? sums_.data() : nullptr,
             measured == MeasureClusters::sums_and_histogram);
    }
  }

  void label(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
             std::uint32_t* labels) override {
    find(view, keys, states, false);
    const Forest forest = forest_of(false);
    if (slab_) slab_->merge(view, keys, states, forest.parent, nullptr, false);
    launch("cluster labels", cuda::shape_of(view.sites, view.replicas), write_labels, view, forest,
           labels);
  }

  std::vector<ClusterSums> sums() const override {
    const std::vector<Word> numbers = sums_.to_host();
    std::vector<ClusterSums> found(numbers.size() / numbers_of_sums);
    for (std::size_t r = 0; r < found.size(); ++r) {
      const Word* const own = numbers.data() + r * numbers_of_sums;
      found[r].clusters = own[0];
      found[r].sites = own[1];
      found[r].squares = own[2];
      found[r].largest = own[3];
      std::copy_n(own + 4, found[r].histogram.size(), found[r].histogram.begin());
      if (slab_) found[r].add(slab_->merged_sums()[r]);
    }
    return found;
  }

  std::vector<StateSums> measure(const ClusterView& view,
                                 const std::uint8_t* states) const override {
    constexpr Index numbers = 1 + most_states;
    Array<Word> all(device_, view.replicas * numbers);
    constexpr Index sites_of_thread = 16;
    const Index units = std::max(units_of(view), view.sites);
    launch("energy and states",
           cuda::shape_of((units + sites_of_thread - 1) / sites_of_thread, view.replicas,
                          block_threads),
           measure_states, view, states, all.data());
    if (slab_) slab_->add_satisfied(view, states, all.data(), numbers);
    const std::vector<Word> host = all.to_host();
    std::vector<StateSums> found(static_cast<std::size_t>(view.replicas));
    for (std::size_t r = 0; r < found.size(); ++r) {
      const Word* const own = host.data() + r * numbers;
      found[r].satisfied = static_cast<Index>(own[0]);
      for (int state = 0; state < view.states; ++state)
        found[r].counts.push_back(static_cast<Index>(own[1 + state]));
      if (view.states == 2) found[r].counts[1] = view.sites - found[r].counts[0];
    }
    return found;
  }

 private:
  CUstream_st* stream() const { return cuda::stream(device_.ordinal); }

  /// Starts a kernel, unless the shape has no blocks. The profile lists its time in the row `name`.
  template <class... Parameters>
  void launch(const char* name, const cuda::LaunchShape& shape, void (*kernel)(Parameters...),
              const std::type_identity_t<Parameters>&... arguments) const {
    if (shape.blocks.x == 0) return;
    const cuda::LaunchRegion region(device_.ordinal, name);
    cuda::launch(device_.ordinal, shape, kernel, arguments...);
  }

  Forest forest_of(bool with_sizes) {
    return {parent_.data(), with_sizes ? size_.data() : nullptr};
  }

  void clear_sums(Index replicas) {
    if (sums_.size() != replicas * numbers_of_sums)
      sums_ = Array<Word>(device_, replicas * numbers_of_sums);
    cuda::check(cudaMemsetAsync(sums_.data(), 0,
                                static_cast<std::size_t>(sums_.size()) * sizeof(Word), stream()),
                "clearing sums");
  }

  /// Makes trees in which every site leads to its root. Sizes of roots are as described at Forest.
  void find(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
            bool with_sizes) {
    const Index numbers = view.sites * view.replicas;
    if (parent_.size() != numbers) parent_ = Array<std::uint32_t>(device_, numbers);
    if (with_sizes && size_.size() != numbers) size_ = Array<std::uint32_t>(device_, numbers);
    const Forest forest = forest_of(with_sizes);
    if (method_ == ClusterMethod::union_find && view.grid.axes > 1) {
      find_in_tiles(view, keys, states, forest);
      return;
    }
    launch("single sites", cuda::shape_of(numbers), make_single_site_trees, numbers, view.sites,
           forest);
    if (method_ == ClusterMethod::label_equivalence) {
      find_by_labels(view, keys, states, forest);
      return;
    }
    launch("union of sites", cuda::shape_of(units_of(view), view.replicas), unite_all, view, keys,
           states, forest);
  }

  void find_in_tiles(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                     const Forest& forest) const {
    switch (view.grid.axes) {
      case 2:
        find_in_tiles<2>(view, keys, states, forest);
        break;
      case 3:
        find_in_tiles<3>(view, keys, states, forest);
        break;
      default:
        find_in_tiles<4>(view, keys, states, forest);
    }
  }

  template <int axes>
  void find_in_tiles(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                     const Forest& forest) const {
    Tiling tiling{};
    Borders borders{};
    Index tiles = 1;
    for (int axis = 0; axis < axes; ++axis) {
      const int side = side_of_tile<axes>(axis);
      const auto length = static_cast<Index>(view.grid.length[axis]);
      const Index count = (length + side - 1) / side;
      tiling.count[axis] = static_cast<unsigned>(count);
      tiles *= count;
      borders.side[axis] = side;
      borders.planes[axis] = length > 1 ? count : 0;
      borders.sites_of_plane[axis] = view.sites / length;
      borders.total += borders.planes[axis] * borders.sites_of_plane[axis];
    }
    const bool one_kind = view.codes == nullptr, with_sizes = forest.size != nullptr;
    const auto kernel =
        one_kind ? (with_sizes ? unite_tiles<axes, true, true> : unite_tiles<axes, true, false>)
                 : (with_sizes ? unite_tiles<axes, false, true> : unite_tiles<axes, false, false>);
    const std::size_t bytes =
        sizeof(std::uint32_t) * (block_threads + (with_sizes ? 2 : 1) * sites_of_tile);
    cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(bytes)),
                "asking for shared memory");
    cuda::LaunchShape shape = cuda::shape_of(tiles * block_threads, view.replicas, block_threads);
    shape.shared_bytes = bytes;
    launch("union in tiles", shape, kernel, view, keys, tiling, states, forest);
    launch("union of tiles", cuda::shape_of(borders.total, view.replicas), unite_borders, view,
           keys, borders, states, forest);
  }

  void find_by_labels(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                      const Forest& forest) {
    const Index units = units_of(view);
    if (units == 0) return;
    if (active_.size() != units * view.replicas)
      active_ = Array<std::uint8_t>(device_, units * view.replicas);
    if (changed_.size() == 0) changed_ = Array<int>(device_, 1);
    const cuda::LaunchShape shape = cuda::shape_of(units, view.replicas);
    launch("bonds", shape, draw_bonds, view, keys, states, active_.data());
    for (int changed = 1; changed != 0;) {
      changed = 0;
      changed_.copy_from(std::span<const int>(&changed, 1));
      launch("labels compared", shape, compare_labels, view, active_.data(), forest,
             changed_.data());
      launch("labels followed", cuda::shape_of(view.sites, view.replicas), follow_labels, view,
             forest);
      changed_.copy_to(std::span<int>(&changed, 1));
    }
  }

  Device device_;
  ClusterMethod method_;
  mutable std::optional<GpuSlab> slab_;  ///< empty: this process has the whole graph
  Array<std::uint32_t> parent_, size_;   ///< (replica, site)
  Array<std::uint8_t> active_;           ///< for label equivalence (replica, unit)
  Array<int> changed_;
  Array<Word> sums_, wolff_sizes_;
};

}  // namespace

std::unique_ptr<ClusterEngine> make_gpu_clusters(const Device& device, ClusterMethod method,
                                                 SlabClusters* slab) {
  return std::make_unique<GpuClusters>(device, method, slab);
}

}  // namespace larmor::ising
