#pragma once
// Raw memory of a device. Other code uses Array.

#include <cstddef>
#include <string>

#include "larmor/core/device/device.hpp"

namespace larmor {

/// "3.2 GiB", "640 MiB".
std::string memory_text(double bytes);

/// Memory of zeros, aligned to 64 bytes. @throws MachineError that says how much was requested
void* allocate(const Device& device, std::size_t bytes);
void deallocate(const Device& device, void* data) noexcept;
/// Blocking copy between any two devices.
void copy_bytes(const Device& to, void* destination, const Device& from, const void* source,
                std::size_t bytes);
/// Copies within one device, after all earlier launches. Does not wait.
void copy_within(const Device& device, void* destination, const void* source, std::size_t bytes);
/// Copies from memory of the host, after all earlier launches. That memory must not change until
/// the device has been waited for.
void send_bytes(const Device& to, void* destination, const void* source, std::size_t bytes);

}  // namespace larmor
