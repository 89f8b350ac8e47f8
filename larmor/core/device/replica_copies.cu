#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/array.hpp"
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/launch.cuh"
#include "larmor/core/device/replica_copies.hpp"

namespace larmor {
namespace {

constexpr int block_threads = 256;

template <class Word>
__global__ void copy_rows(Word* data, ReplicaRows rows, const ReplicaCopy* copies, Index count) {
  const Index lanes = rows.side_by_side, row = rows.numbers * lanes;
  const Index step = Index(gridDim.x) * blockDim.x;
  for (Index c = blockIdx.y; c < count; c += gridDim.y) {
    const ReplicaCopy copy = copies[c];
    const Word* const from = data + copy.from / lanes * row + copy.from % lanes;
    Word* const to = data + copy.to / lanes * row + copy.to % lanes;
    for (Index n = Index(blockIdx.x) * blockDim.x + threadIdx.x; n < rows.numbers; n += step)
      to[n * lanes] = from[n * lanes];
  }
}

template <class Word>
void copy_words(const Device& device, void* data, const ReplicaRows& rows,
                std::span<const ReplicaCopy> copies) {
  const Array<ReplicaCopy> on_device(device, copies);
  const cuda::LaunchRegion region(device.ordinal, "copies of replicas");
  constexpr Index most_blocks = 1024;
  cuda::launch(device.ordinal,
               cuda::shape_of(std::min(rows.numbers, most_blocks * block_threads), on_device.size(),
                              block_threads),
               copy_rows<Word>, static_cast<Word*>(data), rows, on_device.data(), on_device.size());
}

}  // namespace

void copy_replicas_on_gpu(const Device& device, void* data, std::size_t bytes,
                          const ReplicaRows& rows, std::span<const ReplicaCopy> copies) {
  // Contiguous replicas are copied in the largest words that fit.
  if (rows.side_by_side == 1) {
    const auto row = static_cast<std::size_t>(rows.numbers) * bytes;
    const auto fits = [&](std::size_t word) {
      return row % word == 0 && reinterpret_cast<std::uintptr_t>(data) % word == 0;
    };
    const auto words = [&](std::size_t word) {
      return ReplicaRows{static_cast<Index>(row / word)};
    };
    if (fits(16)) return copy_words<uint4>(device, data, words(16), copies);
    if (fits(4)) return copy_words<std::uint32_t>(device, data, words(4), copies);
    return copy_words<std::uint8_t>(device, data, words(1), copies);
  }
  if (bytes == 8) return copy_words<std::uint64_t>(device, data, rows, copies);
  if (bytes == 4) return copy_words<std::uint32_t>(device, data, rows, copies);
  throw InternalError("replicas side by side are copied as numbers of " + std::to_string(bytes) +
                      " bytes");
}

}  // namespace larmor
