#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/ising/measures/grid_sums_gpu.hpp"

namespace larmor::ising {
namespace {

using Word = unsigned long long;

constexpr int summing_threads = 256;
/// Number of sites of a block.
constexpr Index sites_of_block = 64 * summing_threads;

template <class Write>
__global__ void write_states(Write write, Index count, Index replicas) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  for (Index r = blockIdx.y; r < replicas; r += gridDim.y) write(n, r);
}

/// Counts all states except 0; `finish_planes` finds state 0 by subtraction.
__global__ void count_planes(const __grid_constant__ SummedAxes axes, const std::uint8_t* states,
                             Index replicas, Word* counts) {
  for (Index r = blockIdx.y; r < replicas; r += gridDim.y) {
    const std::uint8_t* const own = states + r * axes.sites;
    Word* const sums = counts + r * axes.planes * axes.states;
    for (Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x; site < axes.sites;
         site += Index(gridDim.x) * blockDim.x) {
      const int state = own[site];
      if (state == 0) continue;
      for (int axis = 0; axis < axes.axes; ++axis)
        atomicAdd(sums + axes.plane_number(axis, axes.coordinate(site, axis), state), Word{1});
    }
  }
}

__global__ void finish_planes(const __grid_constant__ SummedAxes axes, Index replicas,
                              const Word* counts, double* numbers) {
  const Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= replicas * axes.planes) return;
  const Index plane = n % axes.planes;
  int axis = 0;
  while (axis + 1 < axes.axes && plane >= axes.first_plane[axis + 1]) ++axis;
  Word left = static_cast<Word>(axes.sites / axes.length[axis]);
  for (int state = 1; state < axes.states; ++state) {
    left -= counts[n * axes.states + state];
    numbers[n * axes.states + state] = static_cast<double>(counts[n * axes.states + state]);
  }
  numbers[n * axes.states] = static_cast<double>(left);
}

/// Each block counts pairs of some sites with the sites at one distance along one axis.
__global__ void count_pairs(const __grid_constant__ SummedAxes axes, const std::uint8_t* states,
                            Index replicas, Word* counts) {
  const Index distance = blockIdx.y;
  int axis = 0;
  while (axis + 1 < axes.axes && distance >= axes.first_distance[axis + 1]) ++axis;
  for (Index r = blockIdx.z; r < replicas; r += gridDim.z) {
    const std::uint8_t* const own = states + r * axes.sites;
    Word equal = 0;
    for (Index site = Index(blockIdx.x) * blockDim.x + threadIdx.x; site < axes.sites;
         site += Index(gridDim.x) * blockDim.x)
      if (is_equal_pair(axes, own, site, axis, distance - axes.first_distance[axis])) ++equal;
    __shared__ Word of_block;
    if (threadIdx.x == 0) of_block = 0;
    __syncthreads();
    atomicAdd(&of_block, equal);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(counts + r * axes.all_distances + distance, of_block);
    __syncthreads();
  }
}

__global__ void to_doubles(const Word* counts, Index count, double* numbers) {
  const Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = static_cast<double>(counts[i]);
}

unsigned blocks_of_sites(Index sites) {
  return static_cast<unsigned>(
      std::min<Index>((sites + sites_of_block - 1) / sites_of_block, 1 << 16));
}

template <class Write>
void launch_write(const Device& device, const Write& write, Index count, Index replicas) {
  const cuda::LaunchRegion region(device.ordinal, "states of sites");
  cuda::launch(device.ordinal, cuda::shape_of(count, replicas, summing_threads),
               write_states<Write>, write, count, replicas);
}

/// Counters that are initially zero. Their memory is freed after the kernels that use it.
class Counts {
 public:
  Counts(const Device& device, Index count)
      : scratch_(device.ordinal, static_cast<std::size_t>(count) * sizeof(Word)) {
    cuda::check(cudaMemsetAsync(words(), 0, static_cast<std::size_t>(count) * sizeof(Word),
                                cuda::stream(device.ordinal)),
                "clearing memory of a GPU");
  }
  Word* words() const { return scratch_.as<Word>(); }

 private:
  cuda::Scratch scratch_;
};

}  // namespace

void write_on_gpu(const Device& device, const StateOfPosition& write, Index positions,
                  Index replicas) {
  launch_write(device, write, positions, replicas);
}

void write_on_gpu(const Device& device, const StatesOfWord& write, Index words, Index replicas) {
  launch_write(device, write, words, replicas);
}

Pending planes_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                      Index replicas) {
  const cuda::LaunchRegion region(device.ordinal, "sums over planes");
  const Index count = replicas * axes.planes * axes.states;
  const Counts counts(device, count);
  const cuda::Scratch numbers(device.ordinal, static_cast<std::size_t>(count) * sizeof(double));
  const auto rows = static_cast<unsigned>(std::min(replicas, most_grid_rows));
  cuda::launch(device.ordinal, {dim3(blocks_of_sites(axes.sites), rows), summing_threads},
               count_planes, axes, states, replicas, counts.words());
  cuda::launch(device.ordinal, cuda::shape_of(replicas * axes.planes, 1, summing_threads),
               finish_planes, axes, replicas, counts.words(), numbers.as<double>());
  return {device, numbers.as<double>(), count};
}

Pending equal_pairs_on_gpu(const Device& device, const SummedAxes& axes, const std::uint8_t* states,
                           Index replicas) {
  const cuda::LaunchRegion region(device.ordinal, "correlations along axes");
  const Index count = replicas * axes.all_distances;
  const Counts counts(device, count);
  const cuda::Scratch numbers(device.ordinal, static_cast<std::size_t>(count) * sizeof(double));
  const dim3 blocks(blocks_of_sites(axes.sites), static_cast<unsigned>(axes.all_distances),
                    static_cast<unsigned>(std::min(replicas, most_grid_rows)));
  cuda::launch(device.ordinal, {blocks, summing_threads}, count_pairs, axes, states, replicas,
               counts.words());
  cuda::launch(device.ordinal, cuda::shape_of(count, 1, summing_threads), to_doubles,
               counts.words(), count, numbers.as<double>());
  return {device, numbers.as<double>(), count};
}

}  // namespace larmor::ising
