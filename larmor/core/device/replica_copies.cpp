#include "larmor/core/device/replica_copies.hpp"

#include <cstring>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"

namespace larmor {
namespace {

template <class Number>
void copy_interleaved(Number* data, const ReplicaRows& rows, const ReplicaCopy& copy) {
  const auto at = [&](Index replica) {
    return data + replica / rows.side_by_side * rows.numbers * rows.side_by_side +
           replica % rows.side_by_side;
  };
  const Number* from = at(copy.from);
  Number* to = at(copy.to);
  for (Index n = 0; n < rows.numbers; ++n) to[n * rows.side_by_side] = from[n * rows.side_by_side];
}

}  // namespace

std::vector<ReplicaCopy> copies_of(std::span<const Index> source) {
  std::vector<ReplicaCopy> copies;
  for (std::size_t r = 0; r < source.size(); ++r)
    if (source[r] != static_cast<Index>(r))
      copies.push_back({static_cast<std::int32_t>(source[r]), static_cast<std::int32_t>(r)});
  return copies;
}

void copy_replicas(const Device& device, void* data, std::size_t bytes, const ReplicaRows& rows,
                   std::span<const ReplicaCopy> copies) {
  const Region region("copies of replicas");
  if (copies.empty() || rows.numbers == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return copy_replicas_on_gpu(device, data, bytes, rows, copies);
#endif
  require_cpu(device);
  parallel_for(device.threads, std::ssize(copies), [&](Index n) {
    const ReplicaCopy& copy = copies[static_cast<std::size_t>(n)];
    if (rows.side_by_side == 1) {
      const std::size_t of_replica = static_cast<std::size_t>(rows.numbers) * bytes;
      auto* const all = static_cast<std::byte*>(data);
      std::memcpy(all + static_cast<std::size_t>(copy.to) * of_replica,
                  all + static_cast<std::size_t>(copy.from) * of_replica, of_replica);
    } else if (bytes == 8) {
      copy_interleaved(static_cast<std::uint64_t*>(data), rows, copy);
    } else if (bytes == 4) {
      copy_interleaved(static_cast<std::uint32_t*>(data), rows, copy);
    } else {
      throw InternalError("replicas side by side are copied as numbers of " +
                          std::to_string(bytes) + " bytes");
    }
  });
}

}  // namespace larmor
