#pragma once
// Copies of replicas onto others, within the memory of a device.

#include <span>
#include <vector>

#include "larmor/core/device/device.hpp"

namespace larmor {

struct ReplicaCopy {
  std::int32_t from, to;
};

/// The copies that make replica r a copy of replica source[r].
std::vector<ReplicaCopy> copies_of(std::span<const Index> source);

/// Layout of the numbers of replicas: (replica / side_by_side, number, replica % side_by_side).
struct ReplicaRows {
  Index numbers;  ///< numbers per replica
  Index side_by_side = 1;
};

/// Makes the copies after all earlier launches; waits for a GPU.
/// @param data numbers from the first replica on, with `bytes` bytes each: 1, 2, 4 or 8
/// @param copies done in place: the replica `to` of a copy may not be the replica `from` of another
void copy_replicas(const Device& device, void* data, std::size_t bytes, const ReplicaRows& rows,
                   std::span<const ReplicaCopy> copies);

template <class T>
void copy_replicas(const Device& device, T* data, const ReplicaRows& rows,
                   std::span<const ReplicaCopy> copies) {
  copy_replicas(device, data, sizeof(T), rows, copies);
}

/// copy_replicas on a GPU. Compiled only if CUDA is found.
void copy_replicas_on_gpu(const Device& device, void* data, std::size_t bytes,
                          const ReplicaRows& rows, std::span<const ReplicaCopy> copies);

}  // namespace larmor
