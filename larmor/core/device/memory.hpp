#pragma once
// Raw memory of a device. Array is what other code uses.

#include <cstddef>
#include <string>

#include "larmor/core/device/device.hpp"

namespace larmor {

/// "3.2 GiB", "640 MiB".
std::string memory_text(double bytes);

/// Zeroed, aligned to 64 bytes. @throws MachineError saying how much was asked for
void* allocate(const Device& device, std::size_t bytes);
void deallocate(const Device& device, void* data) noexcept;
/// Blocking copy between any two devices.
void copy_bytes(const Device& to, void* destination, const Device& from, const void* source,
                std::size_t bytes);
/// Within one device, behind what was launched before it. Does not wait.
void copy_within(const Device& device, void* destination, const void* source, std::size_t bytes);
/// From memory of the host, which must stay as it is until the device has been waited for, behind
/// what was launched before.
void send_bytes(const Device& to, void* destination, const void* source, std::size_t bytes);

}  // namespace larmor
