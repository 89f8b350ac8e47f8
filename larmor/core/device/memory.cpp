#include "larmor/core/device/memory.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "larmor/core/device/free_memory.hpp"
#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#endif

namespace larmor {

std::string memory_text(double bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), unit < 3 || bytes >= 99.95 ? "%.0f %s" : "%.1f %s", bytes,
                units[unit]);
  return text.data();
}

void* allocate(const Device& device, std::size_t bytes) {
  if (bytes == 0) return nullptr;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return cuda::allocate(device.ordinal, bytes);
#endif
  if (device.backend != Backend::cpu) throw InternalError("memory requested on an unknown device");
  constexpr std::size_t alignment = 64;
  const std::size_t padded = (bytes + alignment - 1) / alignment * alignment;
  void* data = padded < bytes ? nullptr : std::aligned_alloc(alignment, padded);
  if (data == nullptr)
    throw MachineError("out of memory: " + memory_text(static_cast<double>(bytes)) +
                       " were asked for, " + free_memory().words());
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

void copy_within(const Device& device, void* destination, const void* source, std::size_t bytes) {
  if (bytes == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) {
    cuda::copy_within(device.ordinal, destination, source, bytes);
    return;
  }
#endif
  copy_bytes(device, destination, device, source, bytes);
}

void send_bytes(const Device& to, void* destination, const void* source, std::size_t bytes) {
  if (bytes == 0) return;
#if defined(LARMOR_HAS_CUDA)
  if (to.backend == Backend::cuda) {
    cuda::send(to.ordinal, destination, source, bytes);
    return;
  }
#endif
  copy_bytes(to, destination, Device{}, source, bytes);
}

}  // namespace larmor
