// Compiled without fused multiplication, so that decisions agree with the CPU.

#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/ising/potts/potts_gpu.hpp"

namespace larmor::ising {
namespace {

constexpr int block_threads = 256;
constexpr Index most_of_grid = 65535;
/// Quads of a replica up to which one block of threads does whole sweeps.
constexpr Index few_quads = 4096;

unsigned blocks_for(Index threads) {
  return static_cast<unsigned>((threads + block_threads - 1) / block_threads);
}

unsigned of_replicas(Index replicas) {
  return static_cast<unsigned>(std::min(replicas, most_of_grid));
}

__global__ void fill_table(ProbabilityOfGain fill, Index entries, Index replicas) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < entries * replicas) fill(i % entries, i / entries);
}

__global__ void update_colour(PottsUpdate update, Index first_quad, Index quads, Index replicas) {
  const Index quad = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (quad >= quads) return;
  for (Index r = blockIdx.y; r < replicas; r += gridDim.y) update(first_quad + quad, r);
}

/// A block of threads does all sweeps of a replica.
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

template <class Of>
__global__ void store_of_replicas(Of of, const double* sums, Index width, Index replicas,
                                  double* numbers) {
  const Index r = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r < replicas) numbers[r] = of(sums + r * width, r);
}

template <class Of>
void launch_of_replicas(const Device& device, const Of& of, const double* sums, Index width,
                        Index replicas, double* numbers) {
  const cuda::LaunchRegion region(device.ordinal, "energies");
  store_of_replicas<<<blocks_for(replicas), block_threads, 0, cuda::stream(device.ordinal)>>>(
      of, sums, width, replicas, numbers);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

}  // namespace

void fill_table_on_gpu(const Device& device, const PottsView& view, std::uint64_t* table,
                       Index entries, Index replicas) {
  const cuda::LaunchRegion region(device.ordinal, "probabilities");
  fill_table<<<blocks_for(entries * replicas), block_threads, 0, cuda::stream(device.ordinal)>>>(
      {view, table}, entries, replicas);
  cuda::check(cudaGetLastError(), "starting a kernel");
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
    sweep_replicas<<<of_replicas(replicas), block_threads, 0, stream>>>(
        {view}, scratch.as<Index>(), static_cast<int>(colour_begin.size()) - 1, replicas, sweeps);
    cuda::check(cudaGetLastError(), "starting a kernel");
    return;
  }
  for (Index sweep = 0; sweep < sweeps; ++sweep, ++view.key.step)
    for (std::size_t c = 0; c + 1 < colour_begin.size(); ++c) {
      const Index first = colour_begin[c] / positions_of_key;
      const Index quads = colour_begin[c + 1] / positions_of_key - first;
      update_colour<<<dim3(blocks_for(quads), of_replicas(replicas)), block_threads, 0, stream>>>(
          {view}, first, quads, replicas);
      cuda::check(cudaGetLastError(), "starting a kernel");
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
  sum_positions<<<dim3(static_cast<unsigned>(blocks), of_replicas(replicas)), block_threads, 0,
                  stream>>>({view}, replicas, whole);
  to_doubles<<<blocks_for(count), block_threads, 0, stream>>>(whole, count, sums);
  cuda::check(cudaGetLastError(), "starting a kernel");
}

void of_replicas_on_gpu(const Device& device, const EnergyOfReplica& of, const double* sums,
                        Index width, Index replicas, double* numbers) {
  launch_of_replicas(device, of, sums, width, replicas, numbers);
}

void of_replicas_on_gpu(const Device& device, const FieldFactorOfReplica& of, const double* sums,
                        Index width, Index replicas, double* numbers) {
  launch_of_replicas(device, of, sums, width, replicas, numbers);
}

}  // namespace larmor::ising
