// Compiled without fused multiply-add, so that GPU and CPU decide equally.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/gpu/early_launch.cuh"
#include "larmor/core/maths/pack.hpp"
#include "larmor/tempering/exchange_kernel.hpp"

namespace larmor::tempering {
namespace {

constexpr Index block_threads = 128;

__global__ void exchange_places(ExchangePass pass) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= pass.places()) return;
  ExchangePlace place(pass, i);
  place.read_counts(pass);
  place.decide(pass, pass.view.energy, 0);
}

constexpr int warp_threads = 32;
constexpr int ladder_warps = 16;

/// How a block of threads adds up the energies of a ladder. Each warp adds the parts of eight
/// replicas. If there are more warps, several of them share the parts of the same eight replicas.
struct LadderSums {
  Index first_block;
  int blocks;  ///< blocks of eight replicas
  int shares;  ///< warps that share the parts of one block

  __device__ LadderSums(Index ladder, Index rungs)
      : first_block(ladder * rungs / lane_count),
        blocks(static_cast<int>(((ladder + 1) * rungs - 1) / lane_count + 1 - first_block)),
        shares(blocks < ladder_warps ? ladder_warps / blocks : 1) {}
  __device__ int replicas() const { return blocks * lane_count; }
};

/// BITS: energies of the replicas of a ladder, added in an order that depends only on the indices
/// of the replicas.
/// @param sums in shared memory, (share, replica); the first row becomes the energies
__device__ void add_up(const LadderSums& of, const PartialEnergies& energies, double* sums) {
  constexpr int at_once = warp_threads / lane_count;
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lane_count;
  const int of_warp = thread % warp_threads / lane_count;
  for (int n = thread / warp_threads; n < of.blocks * of.shares; n += ladder_warps) {
    const int block = n % of.blocks, share = n / of.blocks;
    const double* const energy =
        energies.energy + (of.first_block + block) * energies.parts * lane_count + lane;
    double sum = 0;
    const int step = of.shares * at_once;
    // Four parts are read at once.
    for (Index part = share * at_once + of_warp; part < energies.parts; part += 4 * step) {
      double of_part[4];
      for (int k = 0; k < 4; ++k)
        of_part[k] = part + k * step < energies.parts ? energy[(part + k * step) * lane_count] : 0;
      for (int k = 0; k < 4; ++k) sum += of_part[k];
    }
    sum += __shfl_xor_sync(0xffffffffu, sum, 16);
    sum += __shfl_xor_sync(0xffffffffu, sum, 8);
    if (of_warp == 0) sums[share * of.replicas() + block * lane_count + lane] = sum;
  }
  __syncthreads();
  for (int r = thread; r < of.replicas(); r += static_cast<int>(blockDim.x))
    for (int share = 1; share < of.shares; ++share) sums[r] += sums[share * of.replicas() + r];
  __syncthreads();
}

/// One block of threads per ladder.
__global__ void __launch_bounds__(ladder_warps* warp_threads)
    exchange_ladder(ExchangePass pass, PartialEnergies energies, const std::uint64_t* first_step) {
  extern __shared__ double sums[];
  pass.key.step += *first_step;
  const LadderSums of(blockIdx.x, pass.rungs);
  const Index places = pass.places_of_ladder(), first = blockIdx.x * places;
  // While the sweeps end, numbers that they do not change are read, and random numbers are drawn.
  ExchangePlace place(pass, first + min(Index(threadIdx.x), places - 1));
  cuda::wait_for_predecessor();
  // No earlier: the next sweep would take multiprocessors that the previous one still needs.
  cuda::let_successor_begin();
  place.read_counts(pass);
  add_up(of, energies, sums);
  for (Index i = threadIdx.x; i < places; i += blockDim.x) {
    if (i >= blockDim.x) {
      place = ExchangePlace(pass, first + i);
      place.read_counts(pass);
    }
    place.decide(pass, sums, of.first_block * lane_count);
  }
}

}  // namespace

void exchange_on_gpu(const Device& device, const ExchangePass& pass) {
  const cuda::LaunchRegion region(device.ordinal, "exchange of replicas");
  const auto blocks = static_cast<unsigned>((pass.places() + block_threads - 1) / block_threads);
  exchange_places<<<blocks, block_threads, 0, cuda::stream(device.ordinal)>>>(pass);
  cuda::check(cudaGetLastError(), "starting a kernel");
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
