#pragma once
// Raw memory of a device, on which `Array` builds. Also the memory that this process can still
// allocate: the least that the machine, the control groups of the process, and `ulimit` leave.

#include <cstddef>
#include <optional>
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

struct FreeMemory {
  double bytes = 0;
  std::string limit = {};  ///< the limit that decides, for messages; empty for the machine's memory

  /// "120 MiB are free under the limit of address space (ulimit -v)"
  std::string description() const;
};

/// @param processes number that share the machine and its control groups. Each process has its own
/// limits of `ulimit`
FreeMemory free_memory(int processes = 1);

/// The least memory that control groups of version 2 or 1 leave; no value if no group has a limit.
/// Checks each group from that of the process up to the root. The file cache counts as free.
/// @param root mount point of the control groups @param membership the text of /proc/self/cgroup
std::optional<FreeMemory> free_in_control_groups(const std::string& root,
                                                 const std::string& membership);

}  // namespace larmor
