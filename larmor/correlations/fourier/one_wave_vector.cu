// The factorised sum of one wave vector and many replicas on a GPU. The reading of the spins limits
// its speed. Persistent blocks of threads sum tiles of sites. In a block, one warp copies the next
// tiles, and the other warps add the tiles that have arrived. BITS: each thread rounds its sum over
// a tile to an integer, so the totals do not depend on the order of tiles.

#include <cooperative_groups.h>

#include <cuda/barrier>
#include <cuda/ptx>
#include <numbers>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/gpu/warp.hpp"
#include "larmor/core/simd/for_each.hpp"
#include "larmor/correlations/fourier/block_share.cuh"
#include "larmor/correlations/fourier/gpu_transforms.hpp"
#include "larmor/correlations/fourier/integer_totals.cuh"
#include "larmor/correlations/fourier/site_blocks.hpp"
#include "larmor/correlations/fourier/site_phase.hpp"

namespace larmor::correlations {
namespace {

/// Number of sites whose spins are copied together. A block of sites consists of whole tiles.
constexpr int tile_sites = 128;
static_assert(partial_sum_grain % tile_sites == 0);
/// Number of tiles in shared memory, including those being copied.
constexpr int stages = 2;
/// Number of blocks of threads on one multiprocessor. They share its memory.
constexpr int blocks_of_multiprocessor = 3;
constexpr int summing_threads = 192;
constexpr int block_threads = summing_threads + warp_size;
/// A part is (3, 8): three components for each replica of a block. A block has real and imaginary
/// parts, (6, 8).
constexpr int numbers_of_part = 3 * lane_count, numbers_of_block = 2 * numbers_of_part;

using Barrier = ::cuda::barrier<::cuda::thread_scope_block>;

/// 16 bytes of spins as they are stored: one component of some replicas. At every site, a thread
/// reads this component of these replicas.
template <class Real>
struct alignas(16) SomeLanes {
  static constexpr int count = 16 / static_cast<int>(sizeof(Real));
  static constexpr int per_component = lane_count / count;
  static constexpr int per_site = 3 * per_component;
  /// Number of sites that all threads together read at once.
  static constexpr int sites = summing_threads / per_site;
  static_assert(summing_threads % per_site == 0 && tile_sites % sites == 0);
  Real value[count];
};

struct Request {
  OwnedSiteBlocksView site_blocks;
  const double2* phases;  ///< phases of one wave vector, (spins in storage order)
  Totals totals;
  unsigned* done;  ///< number of blocks of threads that have added to `totals`
  double* out;     ///< (replica, 3, re im); null: other processes add to the totals
  /// Number of tiles of all blocks of replicas, and number of tiles in a block of sites. They have
  /// 32 bits, because a 64-bit division takes as long as a tile.
  unsigned tiles, tiles_of_site_block;
};

/// Iterates over tiles.
class Tiles {
 public:
  __device__ Tiles(const Request& request, unsigned number) : r_(request) {
    const unsigned site_block = number / r_.tiles_of_site_block;
    const auto site_blocks = static_cast<unsigned>(r_.site_blocks.count);
    block_ = site_block / site_blocks;
    site_block_ = site_block % site_blocks;
    site_offset_ = Index(number % r_.tiles_of_site_block) * tile_sites;
    first_of_site_block_ = first_of_site_block();
  }
  __device__ void advance() {
    site_offset_ += tile_sites;
    if (site_offset_ < r_.site_blocks.sites) return;
    site_offset_ = 0;
    if (++site_block_ == r_.site_blocks.count) {
      site_block_ = 0;
      ++block_;
    }
    first_of_site_block_ = first_of_site_block();
  }
  /// Block of replicas.
  __device__ Index block() const { return block_; }
  __device__ Index first_site() const { return first_of_site_block_ + site_offset_; }
  /// Number of sites in the tile; 0 if the tile is beyond the last site.
  __device__ int sites() const {
    const Index left = r_.totals.layout.spins() - first_site();
    return static_cast<int>(left < 0 ? 0 : left < tile_sites ? left : tile_sites);
  }

 private:
  __device__ Index first_of_site_block() const {
    return site_block_ < r_.site_blocks.count ? r_.site_blocks.first_site(site_block_) : 0;
  }

  const Request& r_;
  Index block_, site_block_, site_offset_, first_of_site_block_;
};

template <class Real>
struct Stage {
  SomeLanes<Real> spins[tile_sites][SomeLanes<Real>::per_site];
  double2 phase[tile_sites];
};

template <class Real>
struct Shared {
  Stage<Real> stage[stages];
  Integer site_lane_sums[SomeLanes<Real>::sites][numbers_of_block];
  Barrier full[stages], empty[stages], all_summing;
  bool is_last;
};

/// Shared memory that every GPU offers to a block of threads.
static_assert(sizeof(Shared<double>) <= 64 * 1024 && sizeof(Shared<float>) <= 64 * 1024);

/// Position in the ring of stages.
struct Place {
  int stage = 0;
  bool parity = false;
  __device__ void advance() {
    if (++stage < stages) return;
    stage = 0;
    parity = !parity;
  }
};

/// Waits at a barrier. libcu++ does not tell the compiler that the wait orders memory accesses, so
/// this function does.
__device__ void wait(const Barrier& barrier, bool parity) {
  barrier.wait_parity(parity);
  asm volatile("" ::: "memory");
}

/// Copies tiles [first, last) to shared memory. One warp runs this function.
template <class Real>
__device__ void copy_tiles(const Request& r, const Real* spins, Shared<Real>& shared,
                           unsigned first, unsigned last) {
  const auto threads =
      cooperative_groups::tiled_partition<warp_size>(cooperative_groups::this_thread_block());
  Place place;
  Tiles tile(r, first);
  for (unsigned number = first; number < last; ++number, tile.advance()) {
    if (tile.sites() == 0) continue;
    Barrier& full = shared.full[place.stage];
    Stage<Real>& stage = shared.stage[place.stage];
    // At the first use of a stage, this call does not wait.
    wait(shared.empty[place.stage], !place.parity);
    const auto sites = static_cast<std::size_t>(tile.sites());
    const Real* from = spins + (tile.block() * r.totals.layout.padded_sites() + tile.first_site()) *
                                   3 * lane_count;
    ::cuda::memcpy_async(threads, reinterpret_cast<char*>(stage.spins),
                         reinterpret_cast<const char*>(from),
                         ::cuda::aligned_size_t<16>(sites * sizeof(stage.spins[0])), full);
    ::cuda::memcpy_async(threads, reinterpret_cast<char*>(stage.phase),
                         reinterpret_cast<const char*>(r.phases + tile.first_site()),
                         ::cuda::aligned_size_t<16>(sites * sizeof(double2)), full);
    static_cast<void>(full.arrive());
    place.advance();
  }
}

/// Sums of one thread over its replicas and component.
template <class Real>
struct ThreadSums {
  Integer re[SomeLanes<Real>::count] = {}, im[SomeLanes<Real>::count] = {};

  __device__ void add(const Stage<Real>& stage, int sites, const Totals& totals, int site_lane,
                      int place_of_site) {
    constexpr int count = SomeLanes<Real>::count;
    double x[count] = {}, y[count] = {};
#pragma unroll
    for (int n = 0; n < tile_sites / SomeLanes<Real>::sites; ++n) {
      const int site = site_lane + n * SomeLanes<Real>::sites;
      if (site >= sites) break;
      const double2 p = stage.phase[site];
      const SomeLanes<Real> e = stage.spins[site][place_of_site];
#pragma unroll
      for (int l = 0; l < count; ++l) {
        x[l] += p.x * e.value[l];
        y[l] += p.y * e.value[l];
      }
    }
#pragma unroll
    for (int l = 0; l < count; ++l) {
      re[l] += totals.rounded(x[l]);
      im[l] += totals.rounded(y[l]);
    }
  }
};

/// Adds the sums of all threads over a block of replicas to the totals, and resets them.
template <class Real>
__device__ void add_to_totals(const Request& r, Shared<Real>& shared, Index block, int site_lane,
                              int place_of_site, ThreadSums<Real>& thread_sums) {
  constexpr int count = SomeLanes<Real>::count;
#pragma unroll
  for (int l = 0; l < count; ++l) {
    Integer* sums = &shared.site_lane_sums[site_lane][place_of_site * count + l];
    sums[0] = thread_sums.re[l];
    sums[numbers_of_part] = thread_sums.im[l];
  }
  thread_sums = {};
  shared.all_summing.arrive_and_wait();
  const int number = static_cast<int>(threadIdx.x);
  if (number < numbers_of_block &&
      block * lane_count + number % lane_count < r.totals.layout.replicas) {
    Integer sum = 0;
#pragma unroll
    for (int n = 0; n < SomeLanes<Real>::sites; ++n) sum += shared.site_lane_sums[n][number];
    atomicAdd(r.totals.wave_totals(block, 0) + number, sum);
  }
  shared.all_summing.arrive_and_wait();
}

template <class Real>
__global__ void __launch_bounds__(block_threads, blocks_of_multiprocessor)
    one_wave_vector_kernel(const __grid_constant__ Request r, const Real* spins) {
  extern __shared__ __align__(128) char memory[];
  auto& shared = *reinterpret_cast<Shared<Real>*>(memory);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    for (int n = 0; n < stages; ++n) {
      init(&shared.full[n], warp_size);
      init(&shared.empty[n], summing_threads);
    }
    init(&shared.all_summing, summing_threads);
#if __CUDA_ARCH__ >= 900
    // This fence makes the barriers visible to bulk copies.
    ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);
#endif
  }
  __syncthreads();
  const auto [begin, end] = share_of_block(r.tiles);
  cuda::wait_for_predecessor();
  if (thread >= summing_threads) return copy_tiles(r, spins, shared, begin, end);
  constexpr int per_site = SomeLanes<Real>::per_site;
  const int site_lane = thread / per_site, place_of_site = thread % per_site;
  ThreadSums<Real> thread_sums;
  Place place;
  Index block = -1;
  Tiles tile(r, begin);
  for (unsigned number = begin; number < end; ++number, tile.advance()) {
    if (tile.sites() == 0) continue;
    if (tile.block() != block && block >= 0)
      add_to_totals(r, shared, block, site_lane, place_of_site, thread_sums);
    block = tile.block();
    wait(shared.full[place.stage], place.parity);
    thread_sums.add(shared.stage[place.stage], tile.sites(), r.totals, site_lane, place_of_site);
    static_cast<void>(shared.empty[place.stage].arrive());
    place.advance();
  }
  if (block >= 0) add_to_totals(r, shared, block, site_lane, place_of_site, thread_sums);
  if (r.out == nullptr) return;
  if (thread == 0) {
    // The fence also orders writes of the other threads, since they have reached the barrier
    // before.
    __threadfence();
    shared.is_last = atomicInc(r.done, gridDim.x - 1) == gridDim.x - 1;
  }
  shared.all_summing.arrive_and_wait();
  if (!shared.is_last) return;
  __threadfence();
  for (Index n = thread; n < parts_of_amplitude * r.totals.layout.replicas; n += summing_threads) {
    const Index place =
        r.totals.place(0, n / parts_of_amplitude, static_cast<int>(n % parts_of_amplitude));
    r.out[n] = r.totals.unscaled(atomicExch(r.totals.values + place, Integer{0}));
  }
}

/// Computes the phases of all sites. The kernel runs once for each q. @param turns q over 2 pi
/// @param position (3, spins)
__global__ void phase_kernel(Vec3<double> turns, Index spins, const double* position,
                             double2* phases) {
  const Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (site >= spins) return;
  const SitePhase phase =
      site_phase_of_turns(turns.x * position[site] + turns.y * position[spins + site] +
                          turns.z * position[2 * spins + site]);
  phases[site] = {phase.re, phase.im};
}

class GpuSumOfOne : public GpuTransform {
 public:
  GpuSumOfOne(const lattice::Geometry& geometry, const Vec3<double>& q,
              const spins::SpinState& state)
      : device_(state.device()),
        request_{},
        site_blocks_(state),
        totals_(state, 1),
        blocks_(static_cast<unsigned>(blocks_of_multiprocessor *
                                      cuda::multiprocessors(device_.ordinal))) {
    allow_shared_memory<double>();
    allow_shared_memory<float>();
    const Index spins = state.layout().spins();
    request_.site_blocks = site_blocks_.view();
    request_.totals = totals_.view();
    const Index tiles_of_site_block = request_.site_blocks.sites / tile_sites;
    request_.tiles_of_site_block = in_32_bits(tiles_of_site_block);
    request_.tiles = in_32_bits(request_.totals.layout.blocks() * request_.site_blocks.count *
                                tiles_of_site_block);
    done_ = Array<unsigned>(device_, 1);
    phases_ = Array<double2>(device_, spins);
    request_.done = done_.data();
    request_.phases = phases_.data();
    const Array<double> position(device_, storage_positions(geometry, state));
    cuda::launch(device_.ordinal, cuda::shape_of(spins), phase_kernel,
                 (1 / (2 * std::numbers::pi)) * q, spins, position.data(), phases_.data());
    cuda::synchronise(device_.ordinal);
  }

  Pending transform(const spins::SpinState& state) override {
    state.complete_parts(request_.site_blocks.sites);
    const cuda::LaunchRegion region(device_.ordinal, "amplitudes, factorised");
    if (request_.totals.layout.domain == nullptr)
      return {device_, totals_.numbers(), [&](double* out) {
                request_.out = out;
                sum(state);
              }};
    sum(state);
    return totals_.read_and_reset();
  }

 private:
  template <class Real>
  static void allow_shared_memory() {
    larmor::detail::check_cuda(cudaFuncSetAttribute(one_wave_vector_kernel<Real>,
                                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                    static_cast<int>(sizeof(Shared<Real>))));
  }

  void sum(const spins::SpinState& state) {
    if (device_.precision == Precision::single_numbers) return launch<float>(state);
    launch<double>(state);
  }

  template <class Real>
  void launch(const spins::SpinState& state) {
    if (request_.site_blocks.count == 0) return;
    cuda::launch_early(device_.ordinal, one_wave_vector_kernel<Real>, blocks_, block_threads,
                       sizeof(Shared<Real>), request_, state.reals().template as<Real>());
  }

  Device device_;
  Request request_;
  OwnedSiteBlocks site_blocks_;
  IntegerTotals totals_;
  unsigned blocks_;  ///< blocks of threads
  Array<unsigned> done_;
  Array<double2> phases_;
};

}  // namespace

std::unique_ptr<GpuTransform> make_gpu_sum_of_one(const lattice::Geometry& geometry,
                                                  const Vec3<double>& q,
                                                  const spins::SpinState& state) {
  return std::make_unique<GpuSumOfOne>(geometry, q, state);
}

double gpu_sum_of_one_bytes(const lattice::Geometry& geometry, Index replicas) {
  // Each site needs a phase, and before this a position.
  return IntegerTotals::bytes({geometry.sites(), replicas}, 1) +
         8 * static_cast<double>(5 * geometry.sites());
}

}  // namespace larmor::correlations
