#pragma once
// Replicas that become copies of others, within the memory of a device.

#include <span>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor {

struct ReplicaCopy {
  std::int32_t from, to;
};

/// What changes where replica r is to become a copy of source[r].
std::vector<ReplicaCopy> copies_of(std::span<const Index> source);

/// How the numbers of replicas lie: (replica / side_by_side, number, replica % side_by_side).
struct ReplicaRows {
  Index numbers;  ///< of a replica
  Index side_by_side = 1;
};

/// Behind what was launched before it; waits for a GPU.
/// @param data of the first replica, numbers of `bytes` bytes each: 1, 2, 4 or 8
/// @param copies in place: no `to` is another's `from`
void copy_replicas(const Device& device, void* data, std::size_t bytes, const ReplicaRows& rows,
                   std::span<const ReplicaCopy> copies);

template <class T>
void copy_replicas(const Device& device, T* data, const ReplicaRows& rows,
                   std::span<const ReplicaCopy> copies) {
  copy_replicas(device, data, sizeof(T), rows, copies);
}

/// The same on a GPU. Compiled only where CUDA is found.
void copy_replicas_on_gpu(const Device& device, void* data, std::size_t bytes,
                          const ReplicaRows& rows, std::span<const ReplicaCopy> copies);

}  // namespace larmor
