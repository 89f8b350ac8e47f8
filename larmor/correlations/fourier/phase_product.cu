// The factorised sum of several wave vectors and replicas on a GPU. It is the matrix product of
// phases, (real and imaginary part, sites), and spins, (sites, replicas and components). Persistent
// blocks of threads compute the phases of a tile of sites in shared memory. Meanwhile, each warp
// multiplies the previous phases by the spins of some replicas and sites on the tensor cores. Each
// thread rounds its sum over a run of sites to an integer.

#include <algorithm>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/block_share.cuh"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"
#include "larmor/correlations/fourier/sum_inputs.cuh"
#include "larmor/correlations/fourier/tensor_product.cuh"

namespace larmor::correlations {
namespace {

/// Number of wave vectors in a tile of the product. Its rows are their cosines, then their sines.
constexpr int tile_waves = product_rows / 2;
/// A warp computes one matrix product for each component. The columns of a product are the replicas
/// of a block.
constexpr int components = 3;
static_assert(product_columns == lane_count);
constexpr int warps = 8, block_threads = warps * warp_size;

/// @tparam most_waves wave vectors that share one read of the spins
/// @tparam replica_blocks blocks of replicas that a block of threads reads; several warps share
/// each of these blocks
template <int most_waves, int replica_blocks>
struct Shape {
  static constexpr int waves = most_waves, tiles = waves / tile_waves;
  static constexpr int columns = replica_blocks, sharers = warps / columns;
  static constexpr int blocks_of_multiprocessor = tiles > 2 ? 1 : 2;
  /// Number of steps of the product whose spins are loaded together.
  static constexpr int batch_steps = tiles == 1 ? 2 : 1;
  static constexpr int batch_sites = batch_steps * product_depth;
  /// Number of batches of a warp in a tile of sites, which is also the number of buffers. A warp
  /// multiplies one batch while it loads the other ones.
  static constexpr int batches = tiles == 1 ? 1 : 8 / sharers;
  static constexpr int buffers = tiles > 2 && batches >= 4 ? 4 : 2;
  static_assert(batches == 1 || batches % buffers == 0);
  /// Number of sites of a tile. The phases of a tile are in shared memory.
  static constexpr int sites = batches * sharers * batch_sites;
  /// Row length of the phases in shared memory. The padding avoids bank conflicts of a warp.
  static constexpr int row_sites = sites + 4;
  /// Number of phases that a thread computes for each tile.
  static constexpr int phases = waves * sites / block_threads;
  static_assert(phases % batches == 0 || batches % phases == 0);
  /// Number of sites of a run. The sum over a run is rounded to an integer.
  static constexpr int run_sites = tiles == 1 ? 64 : 256, tiles_of_run = run_sites / sites;
  static_assert(partial_sum_grain % run_sites == 0 && run_sites % sites == 0);

  double2 phase[2][waves][row_sites];
  /// Sums of each thread, in the order of its numbers of the product.
  Integer sum[tiles * components * numbers_of_thread][block_threads];
  double q[waves][3];

  __device__ Integer& own_sum(int tile, int component, int number) {
    return sum[(tile * components + component) * numbers_of_thread + number][threadIdx.x];
  }
};

struct Request : SumInputsView {
  // Numbers of runs of sites:
  unsigned replica_groups;  ///< groups of blocks of replicas; a block of threads reads one group
  unsigned runs;            ///< runs of one sum
  unsigned all_runs;        ///< runs of all sums
};

/// First of the amplitudes that a block of threads sums together.
struct FirstAmplitudes {
  Index first_wave, first_block;
};

/// Iterates over tiles of sites.
template <class Shape>
class Tiles {
 public:
  __device__ Tiles(const Request& r, unsigned run) {
    const auto runs_of_site_block = static_cast<unsigned>(r.site_blocks.sites / Shape::run_sites);
    site_block_ = static_cast<int>(run / runs_of_site_block);
    site_offset_ = static_cast<int>(run % runs_of_site_block) * Shape::run_sites;
    find(r);
  }
  __device__ void advance(const Request& r) {
    site_offset_ += Shape::sites;
    if (site_offset_ == r.site_blocks.sites) {
      site_offset_ = 0;
      ++site_block_;
    }
    find(r);
  }
  __device__ Index first_site() const { return first_site_; }
  /// Number of sites in the tile; 0 if the tile is beyond the last site.
  __device__ int sites() const { return sites_; }
  __device__ bool is_full() const { return sites_ == Shape::sites; }

 private:
  __device__ void find(const Request& r) {
    first_site_ = site_block_ < r.site_blocks.count
                      ? r.site_blocks.first_site(site_block_) + site_offset_
                      : r.layout().spins();
    const Index left = r.layout().spins() - first_site_;
    sites_ = static_cast<int>(min(left, Index(Shape::sites)));
    if (left > 0) return;
    first_site_ = 0;
    sites_ = 0;
  }

  Index first_site_;
  int site_offset_, site_block_, sites_;
};

/// Position of the site for which a thread computes phases.
template <class Shape>
struct Position {
  double x, y, z;
  bool is_there;

  __device__ static int site() { return static_cast<int>(threadIdx.x) % Shape::sites; }
  __device__ Position(const Request& r, const Tiles<Shape>& tile)
      : is_there(site() < tile.sites()) {
    const Index spins = r.layout().spins();
    const double* position = r.position + (is_there ? tile.first_site() + site() : 0);
    x = position[0];
    y = position[spins];
    z = position[2 * spins];
  }
};

/// Phases of a tile of sites; 0 beyond the last site. This thread computes its phases number `from`
/// to `to` - 1.
template <class Shape>
__device__ void make_phases(Shape& shared, int place, const Position<Shape>& position, int from,
                            int to) {
  constexpr int stride = block_threads / Shape::sites;
#pragma unroll
  for (int n = from; n < to; ++n) {
    const int wave = n * stride + static_cast<int>(threadIdx.x) / Shape::sites;
    const double* k = shared.q[wave];
    const SitePhase phase =
        site_phase_of_turns(k[0] * position.x + k[1] * position.y + k[2] * position.z);
    shared.phase[place][wave][Position<Shape>::site()] =
        position.is_there ? double2{phase.re, phase.im} : double2{0, 0};
  }
}

/// The operands of one warp. They are spins of one block of replicas, at all sites of a tile or at
/// some of them.
template <class Shape>
struct WarpShare {
  int column, first_site;
  int row, depth;  ///< row and depth of this thread's numbers

  __device__ WarpShare() {
    const int thread = static_cast<int>(threadIdx.x);
    column = thread / warp_size % Shape::columns;
    first_site = thread / warp_size / Shape::columns * Shape::batch_sites;
    row = thread % warp_size / 4;
    depth = thread % 4;
  }
};

/// Spins of a batch of sites.
template <class Shape>
struct Batch {
  double values[Shape::batch_steps][components][2];

  /// @tparam full is the tile complete? @param spins of the warp's block of replicas
  template <bool full, class Real>
  __device__ void load(const Real* __restrict__ spins, const Tiles<Shape>& tile,
                       const WarpShare<Shape>& share, int batch) {
    const Real* first = spins + tile.first_site() * components * lane_count + share.row;
    const int from = share.first_site + share.depth + batch * Shape::sharers * Shape::batch_sites;
    if constexpr (full) {
      first += from * components * lane_count;
      load_sites([&](int site) { return first + site * components * lane_count; });
    } else {
      // Phases of missing sites are 0.
      const int last = max(tile.sites() - 1, 0);
      load_sites(
          [&](int site) { return first + min(from + site, last) * components * lane_count; });
    }
  }

 private:
  template <class Where>
  __device__ void load_sites(const Where& where) {
#pragma unroll
    for (int step = 0; step < Shape::batch_steps; ++step)
#pragma unroll
      for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int c = 0; c < components; ++c)
          values[step][c][half] =
              static_cast<double>(__ldg(where(step * product_depth + half * 4) + c * lane_count));
  }
};

/// Sums of one warp over a run of sites.
template <class Shape>
struct Product {
  double sums[Shape::tiles][components][numbers_of_thread] = {};

  /// @tparam full do all tiles of the product have all wave vectors? @param waves number of wave
  /// vectors
  template <bool full>
  __device__ void add(const Batch<Shape>& spins, const Shape& shared, int place,
                      const WarpShare<Shape>& share, int batch, int waves) {
    const double2* first = &shared.phase[place][share.row][share.first_site + share.depth];
#pragma unroll
    for (int step = 0; step < Shape::batch_steps; ++step)
#pragma unroll
      for (int t = 0; t < Shape::tiles; ++t) {
        if (!full && t * tile_waves >= waves) break;
        const double2* p = first + t * tile_waves * Shape::row_sites +
                           batch * Shape::sharers * Shape::batch_sites + step * product_depth;
        const double rows[] = {p[0].x, p[0].y, p[4].x, p[4].y};
#pragma unroll
        for (int c = 0; c < components; ++c) multiply_add(sums[t][c], rows, spins.values[step][c]);
      }
  }

  /// Rounds and adds the sums, then resets them to zero.
  __device__ void add_to(Shape& shared, const Totals& totals) {
#pragma unroll
    for (int t = 0; t < Shape::tiles; ++t)
#pragma unroll
      for (int c = 0; c < components; ++c)
#pragma unroll
        for (int i = 0; i < numbers_of_thread; ++i)
          shared.own_sum(t, c, i) += totals.rounded(sums[t][c][i]);
    *this = {};
  }
};

/// Adds this thread's integers to the totals.
template <class Shape>
__device__ void add_to_totals(const Request& r, const FirstAmplitudes& amplitudes,
                              const WarpShare<Shape>& share, Shape& shared) {
  const Index block = amplitudes.first_block + share.column, first_replica = block * lane_count;
#pragma unroll
  for (int t = 0; t < Shape::tiles; ++t) {
    const Index q = amplitudes.first_wave + t * tile_waves + share.row;
    if (q >= r.wave_vectors()) break;
    Integer* totals = r.totals.wave_totals(block, q);
#pragma unroll
    for (int c = 0; c < components; ++c)
#pragma unroll
      for (int i = 0; i < numbers_of_thread; ++i) {
        const int part = i / 2, lane = 2 * share.depth + i % 2;
        // The addition has no condition, because a branch would need registers.
        atomicAdd(totals + (part * components + c) * lane_count + lane,
                  first_replica + lane < r.layout().replicas ? shared.own_sum(t, c, i) : 0);
      }
  }
}

/// The spins that a warp is loading, and its sums.
template <class Real, class Shape>
struct Work {
  const Real* __restrict__ spins;  ///< spins of the warp's block of replicas
  WarpShare<Shape> share;
  Batch<Shape> batches[Shape::buffers];
  Product<Shape> product;

  static constexpr int ahead = Shape::buffers - 1;

  __device__ void start(const Tiles<Shape>& tile) {
#pragma unroll
    for (int batch = 0; batch < ahead; ++batch)
      batches[batch].template load<false>(spins, tile, share, batch);
  }

  /// Multiplies a tile of sites and computes the phases of the next tile. When it returns, the
  /// first spins of the next tile are being loaded. @tparam full are both tiles and the wave
  /// vectors complete?
  template <bool full>
  __device__ void multiply(Shape& shared, int place, int waves, const Tiles<Shape>& tile,
                           const Tiles<Shape>& next, const Position<Shape>& position) {
#pragma unroll
    for (int batch = 0; batch < Shape::batches; ++batch) {
      const int other = batch + ahead;
      batches[other % Shape::buffers].template load<full>(
          spins, other < Shape::batches ? tile : next, share, other % Shape::batches);
      make_phases(shared, 1 - place, position, batch * Shape::phases / Shape::batches,
                  (batch + 1) * Shape::phases / Shape::batches);
      product.template add<full>(batches[batch % Shape::buffers], shared, place, share, batch,
                                 waves);
    }
    if constexpr (Shape::batches < Shape::buffers) batches[0] = batches[Shape::batches];
  }
};

/// Adds sums over some runs of sites to the totals.
template <class Real, class Shape>
__device__ void sum_runs(const Request& r, const Real* __restrict__ spins, Shape& shared,
                         const FirstAmplitudes& amplitudes, unsigned first_run, unsigned runs) {
  const auto waves =
      static_cast<int>(min(r.wave_vectors() - amplitudes.first_wave, Index(Shape::waves)));
  Work<Real, Shape> work{spins};
  const bool has_work = amplitudes.first_block + work.share.column < r.layout().blocks();
  if (has_work)
    work.spins +=
        (amplitudes.first_block + work.share.column) * r.layout().padded_sites() * 3 * lane_count;
  for (auto& thread_sums : shared.sum) thread_sums[threadIdx.x] = 0;
  for (int n = static_cast<int>(threadIdx.x); n < 3 * Shape::waves; n += block_threads)
    shared.q[n / 3][n % 3] = n < 3 * waves ? r.q[3 * amplitudes.first_wave + n] : 0.0;
  __syncthreads();
  Tiles<Shape> tile(r, first_run), next = tile;
  next.advance(r);
  if (has_work) work.start(tile);
  make_phases(shared, 0, Position<Shape>(r, tile), 0, Shape::phases);
  Position<Shape> position(r, next);
  __syncthreads();
  const auto tiles = static_cast<int>(runs * Shape::tiles_of_run);
  for (int n = 0; n < tiles; ++n) {
    const int place = n % 2;
    Tiles<Shape> after = next;
    after.advance(r);
    const Position<Shape> later(r, after);
    if (!has_work) {
      make_phases(shared, 1 - place, position, 0, Shape::phases);
    } else {
      if (waves == Shape::waves && tile.is_full() && next.is_full()) {
        work.template multiply<true>(shared, place, waves, tile, next, position);
      } else {
        work.template multiply<false>(shared, place, waves, tile, next, position);
      }
      if (n % Shape::tiles_of_run == Shape::tiles_of_run - 1) work.product.add_to(shared, r.totals);
    }
    position = later;
    tile = next;
    next = after;
    __syncthreads();
  }
  if (has_work) add_to_totals(r, amplitudes, work.share, shared);
}

template <class Real, class Shape>
__global__ void __launch_bounds__(block_threads, Shape::blocks_of_multiprocessor)
    product_kernel(const __grid_constant__ Request r, const Real* __restrict__ spins) {
  extern __shared__ __align__(128) char memory[];
  const auto [begin, end] = share_of_block(r.all_runs);
  cuda::wait_for_predecessor();
  for (unsigned run = begin; run < end;) {
    const unsigned sum = run / r.runs, first = run % r.runs;
    const FirstAmplitudes amplitudes{Index(sum / r.replica_groups) * Shape::waves,
                                     Index(sum % r.replica_groups) * Shape::columns};
    const unsigned count = min(end - run, r.runs - first);
    sum_runs(r, spins, *reinterpret_cast<Shape*>(memory), amplitudes, first, count);
    run += count;
    __syncthreads();
  }
}

class GpuPhaseProduct : public GpuTransform {
 public:
  /// @param shared_bytes limit of a block's shared memory
  GpuPhaseProduct(const lattice::Geometry& geometry, const QList& q, const spins::SpinState& state,
                  Index shared_bytes)
      : device_(state.device()), inputs_(geometry, q, state), request_{inputs_.view(), 0, 0, 0} {
    if (device_.precision == Precision::single_numbers) {
      choose_shape<float>(shared_bytes);
    } else {
      choose_shape<double>(shared_bytes);
    }
  }

  Pending transform(const spins::SpinState& state) override {
    state.complete_parts(request_.site_blocks.sites);
    const cuda::LaunchRegion region(device_.ordinal, "amplitudes, factorised");
    if (request_.site_blocks.count > 0) (this->*launch_)(state);
    return inputs_.read_and_reset();
  }

 private:
  /// The shape depends on the size of the whole study, because different shapes round different
  /// sums. It must not depend on this process's share.
  template <class Real>
  void choose_shape(Index shared_bytes) {
    using Few = Shape<8, 4>;
    static_assert(sizeof(Few) <= 48 * 1024, "fits every GPU");
    const Index replicas = request_.layout().study_replicas();
    if (request_.wave_vectors() <= Few::waves || shared_bytes < Index(sizeof(Shape<16, 8>)))
      return prepare<Real, Few>();
    if (shared_bytes < Index(sizeof(Shape<32, 8>))) return prepare<Real, Shape<16, 8>>();
    if (replicas <= 2 * lane_count) return prepare<Real, Shape<32, 2>>();
    prepare<Real, Shape<32, 8>>();
  }

  template <class Real, class Shape>
  void prepare() {
    launch_ = &GpuPhaseProduct::launch<Real, Shape>;
    const auto kernel = product_kernel<Real, Shape>;
    larmor::detail::check_cuda(cudaFuncSetAttribute(
        kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(sizeof(Shape))));
    const auto divided = [](Index count, Index divisor) { return (count + divisor - 1) / divisor; };
    const Index replica_groups = divided(request_.layout().blocks(), Shape::columns);
    const Index runs = request_.site_blocks.count * (request_.site_blocks.sites / Shape::run_sites);
    request_.replica_groups = in_32_bits(replica_groups);
    request_.runs = in_32_bits(runs);
    request_.all_runs =
        in_32_bits(divided(request_.wave_vectors(), Shape::waves) * replica_groups * runs);
    int of_multiprocessor = 0;
    larmor::detail::check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &of_multiprocessor, kernel, block_threads, sizeof(Shape)));
    const int resident = of_multiprocessor * cuda::multiprocessors(device_.ordinal);
    blocks_ = std::min(request_.all_runs, static_cast<unsigned>(resident));
  }

  template <class Real, class Shape>
  void launch(const spins::SpinState& state) {
    cuda::launch_early(device_.ordinal, product_kernel<Real, Shape>, blocks_, block_threads,
                       sizeof(Shape), request_, state.reals().template as<Real>());
  }

  Device device_;
  SumInputs inputs_;
  Request request_;
  void (GpuPhaseProduct::*launch_)(const spins::SpinState&) = nullptr;
  unsigned blocks_ = 0;  ///< blocks of threads
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_phase_product(const lattice::Geometry& geometry,
                                                     const QList& q, const spins::SpinState& state,
                                                     std::optional<Index> shared_bytes) {
  if (!shared_bytes) {
    int bytes = 0;
    larmor::detail::check_cuda(cudaDeviceGetAttribute(
        &bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, state.device().ordinal));
    shared_bytes = bytes;
  }
  return std::make_unique<GpuPhaseProduct>(geometry, q, state, *shared_bytes);
}

}  // namespace larmor::correlations
