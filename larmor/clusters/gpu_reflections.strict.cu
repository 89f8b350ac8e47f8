// Clusters of reflections on a GPU. A block of threads unites the sites of a tile of a grid in
// shared memory, and notes active bonds that leave the tile. These bonds are then united in global
// memory, and at last every site finds its root. The host waits for nothing. Graphs are united only
// in global memory.
//
// Compiled without fused multiply-add, so that GPU and CPU decide equally.

#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "larmor/clusters/reflection_gpu.cuh"
#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/block_sums.cuh"
#include "larmor/core/gpu/warp.hpp"

namespace larmor::clusters {
namespace {

constexpr unsigned whole_warp = 0xffffffffu;

using Word = unsigned long long;

/// Arrays of an update, (replica, site). Sizes and sums of sigma belong first to the roots of
/// tiles, then to the final roots. At other sites they are 0.
struct Forest {
  std::uint32_t* parent;
  std::uint8_t* leaving;  ///< active bonds that leave a tile, one bit per axis
  std::uint32_t* size;    ///< null: not measured
  Word* moment;           ///< sums of whole numbers, negative ones modulo 2^64

  __device__ GlobalParents trees(Index replica, Index sites) const {
    return {parent + replica * sites};
  }
};

/// Tiles of a grid; tiles at its ends may be cut. Sites and coordinates fit 32 bits.
struct Tiling {
  unsigned count[4];
  unsigned side[4];
  unsigned inverse[4];  ///< about 2^32 / side: the high half of its product with a number is the
                        ///< quotient; 0 for the side 1
  unsigned last[4];     ///< last coordinate of the grid
  unsigned stride[4];
  unsigned sites;    ///< sites of a tile
  unsigned threads;  ///< threads of the block that unites a tile
};

/// A site of a tile.
struct TileSite {
  unsigned local[4];  ///< coordinates in the tile
  unsigned x[4];      ///< coordinates in the grid
  unsigned site;
  bool inside;

  __device__ TileSite(const Tiling& tiling, const unsigned (&origin)[4], unsigned place)
      : site(0), inside(true) {
#pragma unroll
    for (int axis = 0; axis < 4; ++axis) {
      const unsigned above =
          tiling.inverse[axis] == 0 ? place : __umulhi(place, tiling.inverse[axis]);
      local[axis] = place - above * tiling.side[axis];
      place = above;
      x[axis] = origin[axis] + local[axis];
      inside = inside && x[axis] <= tiling.last[axis];
      site += x[axis] * tiling.stride[axis];
    }
  }
};

constexpr int most_tile_threads = 512;

__global__ void __launch_bounds__(most_tile_threads)
    unite_tiles(const __grid_constant__ ReflectionClusterView view,
                const __grid_constant__ ClusterKeys keys, const __grid_constant__ Tiling tiling,
                Forest forest) {
  extern __shared__ Word memory[];
  // Each array has tiling.sites elements, except that sums of sigma and sizes are empty if they are
  // not measured.
  const unsigned measured_sites = forest.size != nullptr ? tiling.sites : 0;
  Word* const moment = memory;
  auto* const parent = reinterpret_cast<std::uint32_t*>(moment + measured_sites);
  auto* const sigma = reinterpret_cast<float*>(parent + tiling.sites);
  auto* const size = reinterpret_cast<std::uint32_t*>(sigma + tiling.sites);
  const TileParents trees{parent};
  const GridView& grid = view.grid;
  unsigned tile = blockIdx.x;
  unsigned origin[4];
#pragma unroll
  for (int axis = 0; axis < 4; ++axis) {
    origin[axis] = tile % tiling.count[axis] * tiling.side[axis];
    tile /= tiling.count[axis];
  }
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const Index first_site = replica * view.sites;
    const float* const all = view.projections + first_site;
    for (unsigned t = threadIdx.x; t < tiling.sites; t += blockDim.x) {
      const TileSite own(tiling, origin, t);
      parent[t] = t;
      sigma[t] = own.inside ? all[own.site] : 0.0f;
      if (forest.size != nullptr) {
        size[t] = 0;
        moment[t] = 0;
      }
    }
    __syncthreads();
    const float K = strength_of(view, replica);
    for (unsigned t = threadIdx.x; t < tiling.sites; t += blockDim.x) {
      const TileSite own(tiling, origin, t);
      if (!own.inside) continue;
      float exponent[4];
      unsigned other[4];
      unsigned possible = 0, leaving = 0, step = 1;
#pragma unroll
      for (int axis = 0; axis < 4; ++axis) {
        const bool ends = own.x[axis] == tiling.last[axis];
        // This condition is equivalent to has_bond.
        if (tiling.last[axis] > 0 && (grid.periodic[axis] || !ends)) {
          const unsigned next =
              ends ? own.site - own.x[axis] * tiling.stride[axis] : own.site + tiling.stride[axis];
          const bool stays =
              ends ? tiling.count[axis] == 1 : own.local[axis] + 1 < tiling.side[axis];
          other[axis] = ends ? t - own.local[axis] * step : t + step;
          if (!stays) leaving |= 1u << axis;
          exponent[axis] = bond_exponent(K, sigma[t], stays ? sigma[other[axis]] : all[next]);
          if (exponent[axis] < 0) possible |= 1u << axis;
        }
        step *= tiling.side[axis];
      }
      unsigned active = 0;
      if (possible != 0) {
        const WordPlace first = word_place(own.site, 0, grid.words_shift);
        const auto words =
            philox(keys.of(Stream::cluster_bond), first.call, static_cast<std::uint64_t>(replica));
#pragma unroll
        for (int axis = 0; axis < 4; ++axis)
          if ((possible >> axis & 1u) != 0 &&
              is_active(exponent[axis], chosen_word(words, first.word + axis)))
            active |= 1u << axis;
      }
#pragma unroll
      for (int axis = 0; axis < 4; ++axis)
        if (((active & ~leaving) >> axis & 1u) != 0) unite(trees, t, other[axis]);
      forest.leaving[first_site + own.site] = static_cast<std::uint8_t>(active & leaving);
    }
    __syncthreads();
    for (unsigned t = threadIdx.x; t < tiling.sites; t += blockDim.x) {
      const TileSite own(tiling, origin, t);
      if (!own.inside) continue;
      const std::uint32_t root = find_root(trees, t);
      forest.parent[first_site + own.site] = TileSite(tiling, origin, root).site;
      if (forest.size == nullptr) continue;
      atomicAdd(size + root, 1u);
      atomicAdd(moment + root, static_cast<Word>(whole(view, sigma[t])));
    }
    __syncthreads();
    if (forest.size == nullptr) continue;
    for (unsigned t = threadIdx.x; t < tiling.sites; t += blockDim.x) {
      const TileSite own(tiling, origin, t);
      if (!own.inside) continue;
      forest.size[first_site + own.site] = size[t];
      forest.moment[first_site + own.site] = moment[t];
    }
    __syncthreads();
  }
}

/// Unites clusters by active bonds that leave their tile.
__global__ void unite_leaving(const __grid_constant__ ReflectionClusterView view, Forest forest) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.sites) return;
  const auto site = static_cast<std::uint64_t>(i);
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    const unsigned leaving = forest.leaving[replica * view.sites + i];
    if (leaving == 0) continue;
    const GlobalParents trees = forest.trees(replica, view.sites);
    for (int axis = 0; axis < view.grid.axes; ++axis)
      if ((leaving >> axis & 1u) != 0)
        unite(trees, static_cast<std::uint32_t>(site),
              static_cast<std::uint32_t>(
                  next_site(view.grid, site, coordinate(view.grid, site, axis), axis)));
  }
}

/// Makes every site a tree of its own.
__global__ void make_single_site_trees(const __grid_constant__ ReflectionClusterView view,
                                       Forest forest) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= view.sites * view.replicas) return;
  forest.parent[i] = static_cast<std::uint32_t>(i % view.sites);
  if (forest.size == nullptr) return;
  forest.size[i] = 1;
  forest.moment[i] = static_cast<Word>(whole(view, view.projections[i]));
}

__global__ void unite_edges(const __grid_constant__ ReflectionClusterView view,
                            const __grid_constant__ ClusterKeys keys, Forest forest) {
  const Index bond = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (bond >= view.edges.bonds) return;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y)
    if (active_edge(view, keys, replica, view.projections + replica * view.sites, bond))
      unite(forest.trees(replica, view.sites), view.edges.ends[2 * bond],
            view.edges.ends[2 * bond + 1]);
}

/// Adds sizes and sums of hooked trees to the final root.
__global__ void gather_sums(const __grid_constant__ ReflectionClusterView view, Forest forest) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    std::uint32_t* const size = forest.size + replica * view.sites;
    Word* const moment = forest.moment + replica * view.sites;
    std::uint32_t root = 0, count = 0;
    Word sum = 0;
    // Only final roots receive sums, and this kernel does not read the values of final roots.
    if (site < view.sites) {
      const auto own = static_cast<std::uint32_t>(site);
      root = label_on_gpu(view, forest.parent, replica, own);
      if (root != own && size[site] > 0) {
        count = size[site];
        sum = moment[site];
      }
    }
    // Most sums go to the largest cluster. So the threads of a warp that have the root of the first
    // one add their sums, and one thread stores the total.
    const unsigned moving = __ballot_sync(whole_warp, count > 0);
    if (moving == 0) continue;
    const int leader = __ffs(static_cast<int>(moving)) - 1;
    const std::uint32_t most_likely = __shfl_sync(whole_warp, root, leader);
    const bool together = count > 0 && root == most_likely;
    std::uint32_t counts = together ? count : 0;
    Word sums = together ? sum : 0;
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
      counts += __shfl_xor_sync(whole_warp, counts, offset);
      sums += __shfl_xor_sync(whole_warp, sums, offset);
    }
    const bool leads = static_cast<int>(threadIdx.x % warp_size) == leader;
    if (leads || (count > 0 && !together)) {
      atomicAdd(size + root, leads ? counts : count);
      atomicAdd(moment + root, leads ? sums : sum);
    }
  }
}

/// Number of clusters, their sites, squares of sizes, the largest size.
constexpr int numbers_of_sums = 4;

/// Adds the sums of the threads of a warp.
__device__ void add_warp_sums(const Word (&own)[numbers_of_sums], Word* sums) {
#pragma unroll
  for (int n = 0; n < numbers_of_sums; ++n) {
    Word all = own[n];
    for (int offset = warp_size / 2; offset > 0; offset /= 2) {
      const Word other = __shfl_xor_sync(whole_warp, all, offset);
      if (n == 3)
        all = other > all ? other : all;
      else
        all += other;
    }
    if (threadIdx.x % warp_size != 0) continue;
    if (n == 3)
      atomicMax(sums + n, all);
    else
      atomicAdd(sums + n, all);
  }
}

__device__ double squared_moment(const ReflectionClusterView& view, Word moment) {
  const double S =
      static_cast<double>(static_cast<long long>(moment)) / static_cast<double>(view.unit);
  return S * S;
}

/// Each block of threads sums the roots of one block of sites. @param all (replica,
/// numbers_of_sums)
/// @param partial_sums squared sums of sigma (replica, block of sites)
__global__ void __launch_bounds__(sum_width)
    sum_clusters(const __grid_constant__ ReflectionClusterView view, Forest forest, Word* all,
                 double* partial_sums) {
  __shared__ Word sums[numbers_of_sums];
  __shared__ double shared[sum_width];
  const Index first = Index(blockIdx.x) * sites_of_sum_block;
  const Index last =
      first + sites_of_sum_block < view.sites ? first + sites_of_sum_block : view.sites;
  for (Index replica = blockIdx.y; replica < view.replicas; replica += gridDim.y) {
    if (threadIdx.x < numbers_of_sums) sums[threadIdx.x] = 0;
    __syncthreads();
    double partial = 0;
    Word own[numbers_of_sums] = {};
    for (Index site = first + threadIdx.x; site < last; site += sum_width) {
      const Index i = replica * view.sites + site;
      double square = 0;
      if (forest.parent[i] == static_cast<std::uint32_t>(site)) {
        const Word size = size_of_cluster(forest.size[i]);
        own[0] += 1;
        own[1] += size;
        own[2] += size * size;
        own[3] = size > own[3] ? size : own[3];
        square = squared_moment(view, forest.moment[i]);
      }
      partial += square;
    }
    add_warp_sums(own, sums);
    const double sum = tree_sum_of_block(partial, shared);
    if (threadIdx.x == 0) partial_sums[replica * gridDim.x + blockIdx.x] = sum;
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

/// Each block of threads sums the blocks of sites of one replica. @param squares [replica]
__global__ void __launch_bounds__(sum_width)
    add_partial_sums(Index replicas, Index site_blocks, const double* partial_sums,
                     double* squares) {
  __shared__ double shared[sum_width];
  for (Index replica = blockIdx.x; replica < replicas; replica += gridDim.x) {
    double partial = 0;
    for (Index n = threadIdx.x; n < site_blocks; n += sum_width)
      partial += partial_sums[replica * site_blocks + n];
    const double sum = tree_sum_of_block(partial, shared);
    if (threadIdx.x == 0) squares[replica] += sum;
  }
}

/// Adds the sums of the seed's cluster of each replica.
__global__ void add_seed_clusters(const __grid_constant__ ReflectionClusterView view,
                                  const __grid_constant__ ClusterKeys keys, Forest forest,
                                  Word* all, double* squares) {
  const Index replica = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (replica >= view.replicas) return;
  const std::uint32_t label = label_on_gpu(
      view, forest.parent, replica, static_cast<std::uint32_t>(seed_site(view, keys, replica)));
  const Index i = replica * view.sites + label;
  const Word size = size_of_cluster(forest.size[i]);
  Word* const sums = all + replica * numbers_of_sums;
  sums[0] += 1;
  sums[1] += size;
  sums[2] += size * size;
  sums[3] = size > sums[3] ? size : sums[3];
  squares[replica] += squared_moment(view, forest.moment[i]) / static_cast<double>(size);
}

/// Sides of tiles along an axis, each with a different number of tiles.
std::vector<Index> sides_along(Index length, Index most) {
  std::vector<Index> sides;
  for (Index side = length; side > 0;) {
    if (side <= most) sides.push_back(side);
    // The largest side that gives one tile more.
    const Index tiles = (length + side - 1) / side;
    side = tiles == length ? 0 : std::min((length + tiles) / (tiles + 1), side - 1);
  }
  return sides;
}

/// The tiles with the least cost. The cost counts the sites that each thread handles one after the
/// other, and the bonds that leave a tile. A large lattice gets enough tiles to keep the
/// multiprocessors busy.
Tiling tiling_of(const ReflectionClusterView& view) {
  // A site takes 20 bytes of shared memory; a block has 48 KiB.
  constexpr Index most_sites_of_tile = 2450, least = 256, tiles_wanted = 256;
  constexpr double cost_of_leaving = 0.5;
  const Index most =
      std::clamp(view.sites * view.replicas / tiles_wanted, least, most_sites_of_tile);
  const auto threads_of = [](Index sites) { return sites <= 512 ? 256 : most_tile_threads; };
  std::vector<Index> sides[4];
  Index length[4];
  for (int axis = 0; axis < 4; ++axis) {
    length[axis] = static_cast<Index>(view.grid.length[axis]);
    sides[axis] = sides_along(length[axis], most);
  }
  double best = -1;
  Index chosen[4] = {};
  const auto consider = [&](const Index(&side)[4]) {
    Index sites = 1, tiles = 1;
    double leaving = 0;
    for (int axis = 0; axis < 4; ++axis) {
      sites *= side[axis];
      tiles *= (length[axis] + side[axis] - 1) / side[axis];
      if (side[axis] < length[axis])
        leaving += static_cast<double>(view.sites) / static_cast<double>(side[axis]);
    }
    if (sites > most) return;
    const Index threads = threads_of(sites);
    const Index turns = (sites + threads - 1) / threads;
    const double cost = static_cast<double>(tiles * turns * threads) + cost_of_leaving * leaving;
    if (best >= 0 && cost >= best) return;
    best = cost;
    std::copy_n(side, 4, chosen);
  };
  for (const Index x : sides[0])
    for (const Index y : sides[1])
      for (const Index z : sides[2])
        for (const Index w : sides[3])
          if (x * y <= most && x * y * z <= most) consider({x, y, z, w});
  Tiling tiling{};
  tiling.sites = 1;
  for (int axis = 0; axis < 4; ++axis) {
    const Index side = chosen[axis];
    tiling.side[axis] = static_cast<unsigned>(side);
    tiling.count[axis] = static_cast<unsigned>((length[axis] + side - 1) / side);
    // This quotient is exact for indices in a tile, which are below 2^12.
    tiling.inverse[axis] = side == 1 ? 0 : static_cast<unsigned>((Index{1} << 32) / side + 1);
    tiling.last[axis] = static_cast<unsigned>(length[axis] - 1);
    tiling.stride[axis] = static_cast<unsigned>(view.grid.stride[axis]);
    tiling.sites *= tiling.side[axis];
  }
  tiling.threads = static_cast<unsigned>(threads_of(tiling.sites));
  return tiling;
}

class GpuReflections : public ReflectionEngine {
 public:
  explicit GpuReflections(const Device& device) : device_(device) {}

  void update(ReflectionClusterView view, const ClusterKeys& keys, ReflectedField& field,
              Reflected reflected, bool measured) override {
    const Index numbers = view.sites * view.replicas;
    if (parent_.size() != numbers) {
      parent_ = Array<std::uint32_t>(device_, numbers);
      sigma_ = Array<float>(device_, numbers);
      if (view.grid.axes > 0) {
        leaving_ = Array<std::uint8_t>(device_, numbers);
        tiling_ = tiling_of(view);
      }
    }
    if (measured && size_.size() != numbers) {
      size_ = Array<std::uint32_t>(device_, numbers);
      moment_ = Array<Word>(device_, numbers);
      partial_sums_ = Array<double>(device_, view.replicas * sum_blocks_of(view.sites));
    }
    field.project_all(sigma_.data());
    view.projections = sigma_.data();
    const Forest forest{parent_.data(), leaving_.data(), measured ? size_.data() : nullptr,
                        measured ? moment_.data() : nullptr};
    if (view.grid.axes > 0)
      unite_grid(view, keys, forest);
    else
      unite_graph(view, keys, forest);
    if (measured) measure(view, keys, forest, reflected);
    field.reflect_all(view, {parent_.data(), keys, reflected});
  }

  void clear_sums(Index replicas) override {
    if (sums_.size() != replicas * numbers_of_sums) {
      sums_ = Array<Word>(device_, replicas * numbers_of_sums);
      squares_ = Array<double>(device_, replicas);
      return;
    }
    const auto clear = [&](void* data, Index count, std::size_t bytes) {
      cuda::check(cudaMemsetAsync(data, 0, static_cast<std::size_t>(count) * bytes, stream()),
                  "clearing sums");
    };
    clear(sums_.data(), sums_.size(), sizeof(Word));
    clear(squares_.data(), squares_.size(), sizeof(double));
  }

  std::vector<ReflectionSums> sums() const override {
    const std::vector<Word> numbers = sums_.to_host();
    const std::vector<double> squares = squares_.to_host();
    std::vector<ReflectionSums> found(squares.size());
    for (std::size_t r = 0; r < found.size(); ++r) {
      const Word* const own = numbers.data() + r * numbers_of_sums;
      found[r].clusters.clusters = own[0];
      found[r].clusters.sites = own[1];
      found[r].clusters.squares = own[2];
      found[r].clusters.largest = own[3];
      found[r].projection_squares = squares[r];
    }
    return found;
  }

 private:
  CUstream_st* stream() const { return cuda::stream(device_.ordinal); }

  /// Starts a kernel. The row `name` of the profile counts its time.
  template <class... Parameters>
  void launch(const char* name, const cuda::LaunchShape& shape, void (*kernel)(Parameters...),
              const std::type_identity_t<Parameters>&... arguments) const {
    const cuda::LaunchRegion region(device_.ordinal, name);
    cuda::launch(device_.ordinal, shape, kernel, arguments...);
  }

  void unite_grid(const ReflectionClusterView& view, const ClusterKeys& keys,
                  const Forest& forest) const {
    const Index tiles =
        Index{tiling_.count[0]} * tiling_.count[1] * tiling_.count[2] * tiling_.count[3];
    const auto threads = static_cast<int>(tiling_.threads);
    const std::size_t bytes_of_site = forest.size != nullptr ? 20 : 8;
    cuda::LaunchShape shape = cuda::shape_of(tiles * threads, view.replicas, threads);
    shape.shared_bytes = bytes_of_site * tiling_.sites;
    launch("union in tiles", shape, unite_tiles, view, keys, tiling_, forest);
    if (tiles == 1) return;
    launch("union of tiles", cuda::shape_of(view.sites, view.replicas), unite_leaving, view,
           forest);
  }

  void unite_graph(const ReflectionClusterView& view, const ClusterKeys& keys,
                   const Forest& forest) const {
    launch("single sites", cuda::shape_of(view.sites * view.replicas), make_single_site_trees, view,
           forest);
    if (view.edges.bonds == 0) return;
    launch("union of sites", cuda::shape_of(view.edges.bonds, view.replicas), unite_edges, view,
           keys, forest);
  }

  void measure(const ReflectionClusterView& view, const ClusterKeys& keys, const Forest& forest,
               Reflected reflected) {
    launch("cluster sizes", cuda::shape_of(view.sites, view.replicas), gather_sums, view, forest);
    if (reflected == Reflected::seed_cluster) {
      launch("Wolff sums", cuda::shape_of(view.replicas), add_seed_clusters, view, keys, forest,
             sums_.data(), squares_.data());
      return;
    }
    const Index site_blocks = sum_blocks_of(view.sites);
    launch("cluster sums", cuda::shape_of(site_blocks * sum_width, view.replicas, sum_width),
           sum_clusters, view, forest, sums_.data(), partial_sums_.data());
    launch("cluster sums",
           cuda::shape_of(std::min(view.replicas, most_grid_rows) * sum_width, 1, sum_width),
           add_partial_sums, view.replicas, site_blocks, partial_sums_.data(), squares_.data());
  }

  Device device_;
  Tiling tiling_{};
  Array<std::uint32_t> parent_, size_;  ///< (replica, site)
  Array<std::uint8_t> leaving_;
  Array<float> sigma_;
  Array<Word> moment_;
  Array<double> partial_sums_;
  Array<Word> sums_;       ///< (replica, numbers_of_sums)
  Array<double> squares_;  ///< [replica]
};

}  // namespace

std::unique_ptr<ReflectionEngine> make_gpu_reflections(const Device& device) {
  return std::make_unique<GpuReflections>(device);
}

}  // namespace larmor::clusters
