// Compiled without fused multiply-add, so that GPU and CPU decide equally.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/maths/pack.hpp"
#include "larmor/tempering/exchange_kernel.hpp"

namespace larmor::tempering {
namespace {

constexpr int block_threads = 128;

__global__ void exchange_places(ExchangePass pass) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= pass.places()) return;
  ExchangePlace place(pass, i);
  place.read_counts(pass);
  place.decide(pass, pass.view.energy, 0);
}

constexpr int warp_threads = 32;
constexpr int ladder_warps = 16;

/// How a block of threads adds up the energies of a ladder. Each warp adds up the partial sums of
/// eight replicas. If there are more warps, several of them share these partial sums.
struct LadderSums {
  Index first_block;
  int blocks;  ///< blocks of eight replicas
  int shares;  ///< warps that share the partial sums of one block

  __device__ LadderSums(Index ladder, Index rungs)
      : first_block(ladder * rungs / lane_count),
        blocks(static_cast<int>(((ladder + 1) * rungs - 1) / lane_count + 1 - first_block)),
        shares(blocks < ladder_warps ? ladder_warps / blocks : 1) {}
  __device__ int replicas() const { return blocks * lane_count; }
};

/// BITS: energies of the replicas of a ladder, added in an order that depends only on the indices
/// of the replicas.
/// @param sums in shared memory, (share, replica); the first row becomes the energies
__device__ void add_up(const LadderSums& layout, const PartialEnergies& energies, double* sums) {
  constexpr int at_once = warp_threads / lane_count;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lane_count;
  const int of_warp = thread % warp_threads / lane_count;
  for (int i = thread / warp_threads; i < layout.blocks * layout.shares; i += ladder_warps) {
    const int block = i % layout.blocks, share = i / layout.blocks;
    const double* const energy =
        energies.energy + (layout.first_block + block) * energies.partials * lane_count + lane;
    double sum = 0;
    const int step = layout.shares * at_once;
    // Four partial sums are read at once.
    for (Index n = share * at_once + of_warp; n < energies.partials; n += 4 * step) {
      double partial[4];
      for (int k = 0; k < 4; ++k)
        partial[k] = n + k * step < energies.partials ? energy[(n + k * step) * lane_count] : 0;
      for (int k = 0; k < 4; ++k) sum += partial[k];
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 16);
    sum += __shfl_xor_sync(0xffffffffu, sum, 8);
    if (of_warp == 0) sums[share * layout.replicas() + block * lane_count + lane] = sum;
  }
  __syncthreads();
  for (int r = thread; r < layout.replicas(); r += static_cast<int>(blockDim.x))
    for (int share = 1; share < layout.shares; ++share)
      sums[r] += sums[share * layout.replicas() + r];
  __syncthreads();
}

/// One block of threads per ladder.
__global__ void __launch_bounds__(ladder_warps* warp_threads)
    exchange_ladder(ExchangePass pass, PartialEnergies energies, const std::uint64_t* first_step) {
  extern __shared__ double sums[];
  pass.key.step += *first_step;
  const LadderSums layout(blockIdx.x, pass.rungs);
  const Index places = pass.places_of_ladder(), first = blockIdx.x * places;
  // While the sweeps end, each thread reads numbers that sweeps do not change, and computes random
  // numbers.
  ExchangePlace place(pass, first + min(Index(threadIdx.x), places - 1));
  cuda::wait_for_predecessor();
  // If this call came earlier, the next sweep would take multiprocessors that the previous sweep
  // still needs.
  cuda::let_successor_begin();
  place.read_counts(pass);
  add_up(layout, energies, sums);
  for (Index i = threadIdx.x; i < places; i += blockDim.x) {
    if (i >= blockDim.x) {
      place = ExchangePlace(pass, first + i);
      place.read_counts(pass);
    }
    place.decide(pass, sums, layout.first_block * lane_count);
  }
}

}  // namespace

void exchange_on_gpu(const Device& device, const ExchangePass& pass) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of replicas");
  cuda::launch(device.ordinal, cuda::shape_of(pass.places(), 1, block_threads), exchange_places,
               pass);
}

void exchange_behind_sweeps(const Device& device, const ExchangePass& pass,
                            const PartialEnergies& energies, const std::uint64_t* first_step) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of replicas");
  // A ladder may begin inside a block of eight replicas.
  const Index blocks = std::max<Index>(ladder_warps, pass.rungs / lane_count + 2);
  cuda::launch_early(device.ordinal, exchange_ladder, dim3(static_cast<unsigned>(pass.ladders)),
                     ladder_warps * warp_threads,
                     static_cast<std::size_t>(blocks * lane_count) * sizeof(double), pass, energies,
                     first_step);
}

}  // namespace larmor::tempering
