#include "larmor/core/memory.hpp"

#include <cstdlib>
#include <cstring>
#include <string>

#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/cuda_backend.hpp"
#endif

namespace larmor {

void* allocate(const Device& device, std::size_t bytes) {
  if (bytes == 0) return nullptr;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return cuda::allocate(device.ordinal, bytes);
#endif
  if (device.backend != Backend::cpu) throw InternalError("memory asked of an unknown device");
  constexpr std::size_t alignment = 64;
  const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void* data = padded < bytes ? nullptr : std::aligned_alloc(alignment, padded);
  if (data == nullptr)
    throw MachineError("out of memory: " + std::to_string(bytes) + " bytes were asked for, " +
                       std::to_string(available_memory()) + " are available");
  std::memset(data, 0, padded);
  return data;
}

void deallocate([[maybe_unused]] const Device& device, void* data) noexcept {
  if (data == nullptr) return;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) {
    cuda::deallocate(device.ordinal, data);
    return;
  }
#endif
  std::free(data);
}

void copy_bytes(const Device& to, void* destination, const Device& from, const void* source,
                std::size_t bytes) {
  if (bytes == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (to.backend == Backend::cuda || from.backend == Backend::cuda) {
    cuda::copy(to.backend == Backend::cuda ? to.ordinal : from.ordinal, destination, source, bytes);
    return;
  }
#endif
  if (to.backend != Backend::cpu || from.backend != Backend::cpu)
    throw InternalError("copy between unknown devices");
  std::memcpy(destination, source, bytes);
}

}  // namespace larmor
