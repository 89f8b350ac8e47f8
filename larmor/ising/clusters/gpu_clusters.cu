// Clusters on a GPU. Of a grid of two to four axes a block of threads unites the sites of a tile in
// shared memory, 32 along x: runs along x are found from ballots, and of bonds between two runs
// that lie beside each other only the first is taken. Then the bonds across borders of tiles are
// drawn and their trees united in global memory, and last every site asks its root. The host waits
// for nothing. Graphs and chains are united in global memory alone.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/clusters/gpu_parents.cuh"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/ising/clusters/cluster_engine.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
constexpr int block_warps = block_threads / warp_size;
constexpr unsigned whole_warp = 0xffffffffu;
constexpr Index most_blocks_y = 65535;

using Word = unsigned long long;

using clusters::FinishedParents;
using clusters::GlobalParents;
using clusters::TileParents;

/// What an update works on: the trees of all replicas and, where clusters are measured, their
/// sizes. Of a root of a tile or of a single site, then of a root of the whole; of others 0.
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

/// Tiles of 32 sites along x, some along y and z, one along the last axis.
struct Tiling {
  unsigned count[4];
  int side[4];
};

template <int side_y, int side_z>
__global__ void __launch_bounds__(block_threads)
    unite_tiles(const __grid_constant__ ClusterView view, const __grid_constant__ ClusterKeys keys,
                const __grid_constant__ Tiling tiling, const std::uint8_t* states, Forest forest) {
  constexpr int rows = side_y * side_z;
  constexpr int rows_of_warp = rows / block_warps;
  __shared__ std::uint32_t parent[rows * warp_size];
  __shared__ std::uint32_t counts[rows * warp_size];
  __shared__ std::uint32_t joined[rows];  // to the next along x, bit by bit
  const TileParents trees{parent};
  const GridView& grid = view.grid;
  const unsigned lane = threadIdx.x % warp_size;
  const int first_row = static_cast<int>(threadIdx.x / warp_size);
  unsigned tile = blockIdx.x;
  std::uint64_t origin[4];
#pragma unroll
  for (int axis = 0; axis < 4; ++axis) {
    origin[axis] = std::uint64_t{tile % tiling.count[axis]} * tiling.side[axis];
    tile /= tiling.count[axis];
  }
  const std::uint64_t corner = origin[0] + grid.stride[1] * origin[1] + grid.stride[2] * origin[2] +
                               grid.stride[3] * origin[3];
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const std::uint8_t* const spins = states + replica * view.sites;
    unsigned active[rows_of_warp];
#pragma unroll
    for (int n = 0; n < rows_of_warp; ++n) {
      const int row = first_row + n * block_warps;
      const int y = row % side_y, z = row / side_y;
      const std::uint64_t x[4] = {origin[0] + lane, origin[1] + y, origin[2] + z, origin[3]};
      const bool inside = x[0] < grid.length[0] && x[1] < grid.length[1] && x[2] < grid.length[2];
      // Bonds whose other end lies in the tile.
      const unsigned asked = (lane + 1 < warp_size && x[0] + 1 < grid.length[0] ? 1u : 0u) |
                             (y + 1 < side_y && x[1] + 1 < grid.length[1] ? 2u : 0u) |
                             (z + 1 < side_z && x[2] + 1 < grid.length[2] ? 4u : 0u);
      const std::uint64_t site = corner + lane + grid.stride[1] * y + grid.stride[2] * z;
      active[n] = inside ? active_bonds(view, keys, replica, spins, site, x, asked) : 0u;
      const unsigned along = __ballot_sync(whole_warp, (active[n] & 1u) != 0);
      if (lane == 0) joined[row] = along;
      // Behind the last site before this one that is not joined to its next.
      const unsigned gaps = ~along & ((1u << lane) - 1);
      const unsigned start = gaps == 0 ? 0u : warp_size - static_cast<unsigned>(__clz(gaps));
      parent[row * warp_size + lane] = row * warp_size + start;
      counts[row * warp_size + lane] = 0;
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < rows_of_warp; ++n) {
      const int row = first_row + n * block_warps;
#pragma unroll
      for (int axis = 1; axis < 3; ++axis) {
        if (axis == 2 && side_z == 1) continue;
        const unsigned across = __ballot_sync(whole_warp, (active[n] >> axis & 1u) != 0);
        if (across == 0) continue;
        const int next = row + (axis == 1 ? 1 : side_y);
        const unsigned again = across & ((across & joined[row] & joined[next]) << 1);
        if (((across & ~again) >> lane & 1u) != 0)
          unite(trees, row * warp_size + lane, next * warp_size + lane);
      }
    }
    __syncthreads();
    std::uint32_t root[rows_of_warp];
#pragma unroll
    for (int n = 0; n < rows_of_warp; ++n) {
      const int row = first_row + n * block_warps;
      root[n] = found_root(trees, row * warp_size + lane);
      const bool inside = origin[0] + lane < grid.length[0] &&
                          origin[1] + row % side_y < grid.length[1] &&
                          origin[2] + row / side_y < grid.length[2];
      if (forest.size == nullptr) continue;
      // Sites of one root in a warp, often all of them, count together.
      const unsigned first = __shfl_sync(whole_warp, root[n], 0);
      const unsigned same = __ballot_sync(whole_warp, inside && root[n] == first);
      if (lane == 0 && same != 0) atomicAdd(counts + first, static_cast<unsigned>(__popc(same)));
      if (inside && root[n] != first) atomicAdd(counts + root[n], 1u);
    }
    __syncthreads();
#pragma unroll
    for (int n = 0; n < rows_of_warp; ++n) {
      const int row = first_row + n * block_warps;
      const int y = row % side_y, z = row / side_y;
      if (origin[0] + lane >= grid.length[0] || origin[1] + y >= grid.length[1] ||
          origin[2] + z >= grid.length[2])
        continue;
      const std::uint64_t site = corner + lane + grid.stride[1] * y + grid.stride[2] * z;
      const int root_row = static_cast<int>(root[n] / warp_size);
      forest.parent[replica * view.sites + site] = static_cast<std::uint32_t>(
          corner + root[n] % warp_size + grid.stride[1] * (root_row % side_y) +
          grid.stride[2] * (root_row / side_y));
      if (forest.size != nullptr)
        forest.size[replica * view.sites + site] = counts[row * warp_size + lane];
    }
    __syncthreads();
  }
}

/// Bonds across borders of tiles and around the grid: planes of each axis, the last of which ends
/// where the grid ends.
struct Borders {
  Index planes[4];
  Index sites_of_plane[4];
  Index total;
};

__global__ void unite_borders(const __grid_constant__ ClusterView view,
                              const __grid_constant__ ClusterKeys keys,
                              const __grid_constant__ Tiling tiling,
                              const __grid_constant__ Borders borders, const std::uint8_t* states,
                              Forest forest) {
  Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= borders.total) return;
  int axis = 0;
  while (i >= borders.planes[axis] * borders.sites_of_plane[axis]) {
    i -= borders.planes[axis] * borders.sites_of_plane[axis];
    ++axis;
  }
  const GridView& grid = view.grid;
  const auto in_plane = static_cast<std::uint64_t>(i % borders.sites_of_plane[axis]);
  const auto plane = static_cast<std::uint64_t>(i / borders.sites_of_plane[axis]);
  const std::uint64_t end = (plane + 1) * tiling.side[axis];
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

/// Every site is a tree of its own.
__global__ void plant(Index numbers, Index sites, Forest forest) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= numbers) return;
  forest.parent[i] = static_cast<std::uint32_t>(i % sites);
  if (forest.size != nullptr) forest.size[i] = 1;
}

/// What one thread looks at: a site of a grid, or a bond of a graph.
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

/// join(site, site) for each of them.
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

/// Label equivalence: the bonds of an update. @param active (replica, unit)
__global__ void draw_bonds(const __grid_constant__ ClusterView view,
                           const __grid_constant__ ClusterKeys keys, const std::uint8_t* states,
                           std::uint8_t* active) {
  const Index unit = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (unit >= units_of(view)) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y)
    active[replica * units_of(view) + unit] = static_cast<std::uint8_t>(
        active_of_unit(view, keys, replica, states + replica * view.sites, unit));
}

/// Labels refer to the least label beside them.
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

/// Every site takes the label that its own refers to in the end.
__global__ void follow_labels(const __grid_constant__ ClusterView view, Forest forest) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (site >= view.sites) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents label = forest.finished(replica, view.sites);
    const auto own = static_cast<std::uint32_t>(site);
    label.parent[own] = found_root(label, own);
  }
}

/// Sizes of trees that were hooked to others go to the root of the whole.
__global__ void gather_sizes(const __grid_constant__ ClusterView view, Forest forest) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents trees = forest.finished(replica, view.sites);
    std::uint32_t* const size = forest.size + replica * view.sites;
    const auto own = static_cast<std::uint32_t>(site);
    std::uint32_t root = own, count = 0;
    // Only roots of the whole are added to, and what they hold is not read here.
    if (site < view.sites && (root = found_root(trees, own)) != own) {
      count = size[site];
      if (count > 0) trees.parent[own] = root;
    }
    // Most go to the largest cluster: those of a warp with the root of the first go together.
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

/// Every site takes what the root of its tree decides, and roots count.
/// @param all (replica, number), null: not measured
__global__ void give_states(const __grid_constant__ ClusterView view,
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
      const std::uint32_t root = found_root(trees, static_cast<std::uint32_t>(site));
      spins[site] = new_state(view, spins[site], decision(view, label_word(keys, replica, root)));
      if (all != nullptr && root == static_cast<std::uint32_t>(site))
        add_cluster(sums, size_of_cluster(forest.size[replica * view.sites + site]), in_histogram);
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

/// The cluster of its seed takes another state. @param size sites of it, of each replica
__global__ void turn_cluster(const __grid_constant__ ClusterView view,
                             const __grid_constant__ ClusterKeys keys, std::uint8_t* states,
                             Forest forest, Word* size) {
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const FinishedParents trees = forest.finished(replica, view.sites);
    std::uint8_t* const spins = states + replica * view.sites;
    const WolffSeed seed = wolff_seed(view, keys, replica);
    const std::uint32_t chosen = found_root(trees, static_cast<std::uint32_t>(seed.site));
    const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
    const bool turns =
        site < view.sites && found_root(trees, static_cast<std::uint32_t>(site)) == chosen;
    if (turns) spins[site] = turned_state(view, spins[site], seed.turn);
    const int count = __syncthreads_count(turns);
    if (threadIdx.x == 0 && count > 0) atomicAdd(size + replica, static_cast<Word>(count));
  }
}

/// Adds the Wolff clusters of all replicas, and forgets their sizes.
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
        found_root(forest.finished(replica, view.sites), static_cast<std::uint32_t>(site));
}

constexpr int most_states = 256;

/// @param all (replica, 1 + most_states): weights of satisfied bonds, sites in each state
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
    unsigned in_first = 0;  // sites in state 0, the ones of Ising need no counter
    const auto look = [&](std::uint64_t slot, std::uint64_t a, std::uint64_t b) {
      const BondKind kind = bond_kind(view, slot);
      if (is_satisfied(spins[a], spins[b], kind.antiferromagnetic))
        satisfied += static_cast<Word>(view.weights[kind.number]);
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
          look(static_cast<std::uint64_t>(unit), view.edges.ends[2 * unit],
               view.edges.ends[2 * unit + 1]);
        continue;
      }
      const auto site = static_cast<std::uint64_t>(unit);
      for (int axis = 0; axis < view.grid.axes; ++axis) {
        const std::uint64_t x = coordinate(view.grid, site, axis);
        if (has_bond(view.grid, x, axis))
          look(static_cast<std::uint64_t>(axis) * static_cast<std::uint64_t>(view.sites) + site,
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
  GpuClusters(const Device& device, ClusterMethod method) : device_(device), method_(method) {}

  void swendsen_wang(const ClusterView& view, const ClusterKeys& keys, std::uint8_t* states,
                     MeasureClusters measured) override {
    const bool with_sums = measured != MeasureClusters::no;
    find(view, keys, states, with_sums);
    if (with_sums) clear_sums(view.replicas);
    const Forest forest = forest_of(with_sums);
    if (with_sums)
      launch("cluster sizes", view.sites, view.replicas,
             [&](dim3 grid) { gather_sizes<<<grid, block_threads, 0, stream()>>>(view, forest); });
    // Of several sites a thread, so that blocks add few sums.
    const Index sites_of_thread = with_sums ? 8 : 1;
    launch("new states", (view.sites + sites_of_thread - 1) / sites_of_thread, view.replicas,
           [&](dim3 grid) {
             give_states<<<grid, block_threads, 0, stream()>>>(
                 view, keys, states, forest, with_sums ? sums_.data() : nullptr,
                 measured == MeasureClusters::sums_and_histogram);
           });
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
      launch("Wolff cluster", view.sites, view.replicas, [&](dim3 grid) {
        turn_cluster<<<grid, block_threads, 0, stream()>>>(view, own, states, forest,
                                                           wolff_sizes_.data());
      });
      launch("Wolff sums", view.replicas, 1, [&](dim3 grid) {
        add_clusters<<<grid, block_threads, 0, stream()>>>(
            view.replicas, wolff_sizes_.data(), with_sums ? sums_.data() : nullptr,
            measured == MeasureClusters::sums_and_histogram);
      });
    }
  }

  void label(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
             std::uint32_t* labels) override {
    find(view, keys, states, false);
    const Forest forest = forest_of(false);
    launch("cluster labels", view.sites, view.replicas, [&](dim3 grid) {
      write_labels<<<grid, block_threads, 0, stream()>>>(view, forest, labels);
    });
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
    }
    return found;
  }

  std::vector<StateSums> measure(const ClusterView& view,
                                 const std::uint8_t* states) const override {
    constexpr Index numbers = 1 + most_states;
    Array<Word> all(device_, view.replicas * numbers);
    constexpr Index sites_of_thread = 16;
    const Index units = std::max(units_of(view), view.sites);
    launch("energy and states", (units + sites_of_thread - 1) / sites_of_thread, view.replicas,
           [&](dim3 grid) {
             measure_states<<<grid, block_threads, 0, stream()>>>(view, states, all.data());
           });
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

  /// kernel(blocks) for so many threads of each replica.
  template <class Kernel>
  void launch(const char* name, Index threads, Index replicas, const Kernel& kernel) const {
    if (threads == 0) return;
    const cuda::LaunchRegion region(device_.ordinal, name);
    kernel(dim3(static_cast<unsigned>((threads + block_threads - 1) / block_threads),
                static_cast<unsigned>(std::min(replicas, most_blocks_y))));
    cuda::check(cudaGetLastError(), "starting a kernel");
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

  /// Leaves trees of which every site leads to its root, and sizes as Forest says.
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
    launch("sites alone", numbers, 1, [&](dim3 grid) {
      plant<<<grid, block_threads, 0, stream()>>>(numbers, view.sites, forest);
    });
    if (method_ == ClusterMethod::label_equivalence) {
      find_by_labels(view, keys, states, forest);
      return;
    }
    launch("union of sites", units_of(view), view.replicas, [&](dim3 grid) {
      unite_all<<<grid, block_threads, 0, stream()>>>(view, keys, states, forest);
    });
  }

  void find_in_tiles(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                     const Forest& forest) const {
    const bool flat = view.grid.axes == 2;
    Tiling tiling{{}, {warp_size, flat ? 32 : 8, flat ? 1 : 8, 1}};
    Borders borders{};
    Index tiles = 1;
    for (int axis = 0; axis < 4; ++axis) {
      const auto length = static_cast<Index>(view.grid.length[axis]);
      const Index count = (length + tiling.side[axis] - 1) / tiling.side[axis];
      tiling.count[axis] = static_cast<unsigned>(count);
      tiles *= count;
      borders.planes[axis] = length > 1 ? count : 0;
      borders.sites_of_plane[axis] = view.sites / length;
      borders.total += borders.planes[axis] * borders.sites_of_plane[axis];
    }
    launch("union in tiles", tiles * block_threads, view.replicas, [&](dim3 grid) {
      if (flat)
        unite_tiles<32, 1>
            <<<grid, block_threads, 0, stream()>>>(view, keys, tiling, states, forest);
      else
        unite_tiles<8, 8><<<grid, block_threads, 0, stream()>>>(view, keys, tiling, states, forest);
    });
    launch("union of tiles", borders.total, view.replicas, [&](dim3 grid) {
      unite_borders<<<grid, block_threads, 0, stream()>>>(view, keys, tiling, borders, states,
                                                          forest);
    });
  }

  void find_by_labels(const ClusterView& view, const ClusterKeys& keys, const std::uint8_t* states,
                      const Forest& forest) {
    const Index units = units_of(view);
    if (units == 0) return;
    if (active_.size() != units * view.replicas)
      active_ = Array<std::uint8_t>(device_, units * view.replicas);
    if (changed_.size() == 0) changed_ = Array<int>(device_, 1);
    launch("bonds", units, view.replicas, [&](dim3 grid) {
      draw_bonds<<<grid, block_threads, 0, stream()>>>(view, keys, states, active_.data());
    });
    for (int changed = 1; changed != 0;) {
      changed = 0;
      changed_.copy_from(std::span<const int>(&changed, 1));
      launch("labels compared", units, view.replicas, [&](dim3 grid) {
        compare_labels<<<grid, block_threads, 0, stream()>>>(view, active_.data(), forest,
                                                             changed_.data());
      });
      launch("labels followed", view.sites, view.replicas,
             [&](dim3 grid) { follow_labels<<<grid, block_threads, 0, stream()>>>(view, forest); });
      changed_.copy_to(std::span<int>(&changed, 1));
    }
  }

  Device device_;
  ClusterMethod method_;
  Array<std::uint32_t> parent_, size_;  ///< (replica, site)
  Array<std::uint8_t> active_;          ///< of label equivalence (replica, unit)
  Array<int> changed_;
  Array<Word> sums_, wolff_sizes_;
};

}  // namespace

std::unique_ptr<ClusterEngine> make_gpu_clusters(const Device& device, ClusterMethod method) {
  return std::make_unique<GpuClusters>(device, method);
}

}  // namespace larmor::ising
