// This file is compiled without fused multiplication, so that decisions agree with those of a CPU.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/ising/potts/potts_gpu.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
/// If a replica has at most this many quads, one block of threads does whole sweeps of it.
constexpr Index few_quads = 4096;

unsigned rows_for(Index replicas) {
  return static_cast<unsigned>(std::min(replicas, most_grid_rows));
}

__global__ void fill_table(ProbabilityOfGain fill, Index entries, Index replicas) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < entries * replicas) fill(i % entries, i / entries);
}

__global__ void update_states_of_colour(PottsUpdate update, Index first_quad, Index quads,
                                        Index replicas) {
  const Index quad = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (quad >= quads) return;
  for (Index r = blockIdx.y; r < replicas; r += gridDim.y) update(first_quad + quad, r);
}

/// Does all sweeps. Each replica has one block of threads.
__global__ void sweep_replicas(PottsUpdate update, const Index* colour_begin, int colours,
                               Index replicas, Index sweeps) {
  for (Index r = blockIdx.x; r < replicas; r += gridDim.x) {
    PottsUpdate of_sweep = update;
    for (Index sweep = 0; sweep < sweeps; ++sweep, ++of_sweep.view.key.step)
      for (int c = 0; c < colours; ++c) {
        const Index last = colour_begin[c + 1] / positions_of_key;
        for (Index quad = colour_begin[c] / positions_of_key + threadIdx.x; quad < last;
             quad += blockDim.x)
          of_sweep(quad, r);
        __syncthreads();
      }
  }
}

__global__ void sum_positions(PottsEnergy energy, Index replicas, unsigned long long* sums) {
  const PottsView& view = energy.view;
  const int numbers = 1 + view.states;
  __shared__ unsigned long long of_block[256];
  for (Index r = blockIdx.y; r < replicas; r += gridDim.y) {
    for (int n = threadIdx.x; n < numbers; n += blockDim.x) of_block[n] = 0;
    __syncthreads();
    Index own = 0;
    for (Index p = Index(blockIdx.x) * blockDim.x + threadIdx.x; p < view.positions;
         p += Index(gridDim.x) * blockDim.x) {
      if (view.site[p] < 0) continue;
      own += energy(p, r);
      atomicAdd(of_block + 1 + view.state[r * view.positions + p], 1ull);
    }
    atomicAdd(of_block, static_cast<unsigned long long>(own));
    __syncthreads();
    for (int n = threadIdx.x; n < numbers; n += blockDim.x)
      atomicAdd(sums + r * numbers + n, of_block[n]);
    __syncthreads();
  }
}

__global__ void to_doubles(const unsigned long long* sums, Index count, double* numbers) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = static_cast<double>(static_cast<long long>(sums[i]));
}

template <class Function>
__global__ void apply_to_replicas(Function function, const double* sums, Index width,
                                  Index replicas, double* numbers) {
  const Index r = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r < replicas) numbers[r] = function(sums + r * width, r);
}

template <class Function>
void launch_function(const Device& device, const Function& function, const double* sums,
                     Index width, Index replicas, double* numbers) {
  const cuda::LaunchRegion region(device.ordinal, "energies");
  cuda::launch(device.ordinal, cuda::shape_of(replicas, 1, block_threads),
               apply_to_replicas<Function>, function, sums, width, replicas, numbers);
}

}  // namespace

void fill_table_on_gpu(const Device& device, const PottsView& view, std::uint64_t* table,
                       Index entries, Index replicas) {
  const cuda::LaunchRegion region(device.ordinal, "probabilities");
  cuda::launch(device.ordinal, cuda::shape_of(entries * replicas, 1, block_threads), fill_table,
               ProbabilityOfGain{view, table}, entries, replicas);
}

void sweep_on_gpu(const Device& device, PottsView view, const std::vector<Index>& colour_begin,
                  Index replicas, Index sweeps) {
  const cuda::LaunchRegion region(device.ordinal, "updates of sites");
  const auto stream = cuda::stream(device.ordinal);
  if (colour_begin.back() / positions_of_key <= few_quads) {
    const cuda::Scratch scratch(device.ordinal, colour_begin.size() * sizeof(Index));
    cuda::check(
        cudaMemcpyAsync(scratch.as<Index>(), colour_begin.data(),
                        colour_begin.size() * sizeof(Index), cudaMemcpyHostToDevice, stream),
        "copying to a GPU");
    cuda::launch(stream, {dim3(rows_for(replicas)), block_threads}, sweep_replicas,
                 PottsUpdate{view}, scratch.as<Index>(), static_cast<int>(colour_begin.size()) - 1,
                 replicas, sweeps);
    return;
  }
  for (Index sweep = 0; sweep < sweeps; ++sweep, ++view.key.step)
    for (std::size_t c = 0; c + 1 < colour_begin.size(); ++c) {
      const Index first = colour_begin[c] / positions_of_key;
      const Index quads = colour_begin[c + 1] / positions_of_key - first;
      cuda::launch(stream, cuda::shape_of(quads, replicas, block_threads), update_states_of_colour,
                   PottsUpdate{view}, first, quads, replicas);
    }
}

void sum_on_gpu(const Device& device, const PottsView& view, Index replicas, double* sums) {
  const cuda::LaunchRegion region(device.ordinal, "sums over sites");
  const auto stream = cuda::stream(device.ordinal);
  const Index count = replicas * (1 + view.states);
  const cuda::Scratch scratch(device.ordinal,
                              static_cast<std::size_t>(count) * sizeof(unsigned long long));
  auto* const whole = scratch.as<unsigned long long>();
  cuda::check(cudaMemsetAsync(whole, 0, static_cast<std::size_t>(count) * sizeof(*whole), stream),
              "clearing memory of a GPU");
  constexpr Index positions_of_block = 16 * block_threads;
  const Index blocks = (view.positions + positions_of_block - 1) / positions_of_block;
  cuda::launch(stream, {dim3(static_cast<unsigned>(blocks), rows_for(replicas)), block_threads},
               sum_positions, PottsEnergy{view}, replicas, whole);
  cuda::launch(stream, cuda::shape_of(count, 1, block_threads), to_doubles, whole, count, sums);
}

void apply_to_replicas_on_gpu(const Device& device, const EnergyOfReplica& function,
                              const double* sums, Index width, Index replicas, double* numbers) {
  launch_function(device, function, sums, width, replicas, numbers);
}

void apply_to_replicas_on_gpu(const Device& device, const FieldFactorOfReplica& function,
                              const double* sums, Index width, Index replicas, double* numbers) {
  launch_function(device, function, sums, width, replicas, numbers);
}

}  // namespace larmor::ising
