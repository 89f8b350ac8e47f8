#include "larmor/core/device/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

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
                       " were requested, " + free_memory().description());
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

namespace {

namespace fs = std::filesystem;

constexpr double kibibyte = 1024;

/// The number after a key in /proc/meminfo or memory.stat.
std::optional<double> number_of(const fs::path& path, const std::string& key) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    double number = 0;
    if (words >> name >> number && name == key) return number;
  }
  return std::nullopt;
}

/// The only number of a file; nothing for "max".
std::optional<double> number_in(const fs::path& path) {
  std::ifstream file(path);
  double number = 0;
  if (file >> number) return number;
  return std::nullopt;
}

/// File names of one version of control groups.
struct GroupFiles {
  std::array<const char*, 2> limits;
  const char *usage, *droppable;
};
constexpr GroupFiles version_2{{"memory.max", "memory.high"}, "memory.current", "inactive_file"};
constexpr GroupFiles version_1{{"memory.limit_in_bytes", "memory.limit_in_bytes"},
                               "memory.usage_in_bytes",
                               "total_inactive_file"};

void lower(std::optional<FreeMemory>& least, double bytes, const std::string& limit) {
  bytes = std::max(0.0, bytes);
  if (!least || bytes < least->bytes) least = {bytes, limit};
}

void look_at_group(const fs::path& folder, const GroupFiles& files,
                   std::optional<FreeMemory>& least) {
  for (const char* const name : files.limits) {
    const std::optional<double> limit = number_in(folder / name);
    const std::optional<double> usage = number_in(folder / files.usage);
    // In version 1, a limit beyond all memory means that there is no limit.
    if (!limit || !usage || *limit > 0x1p60) continue;
    const double droppable = number_of(folder / "memory.stat", files.droppable).value_or(0);
    lower(least, *limit - std::max(0.0, *usage - droppable),
          std::string("the limit of its control group (") + name + ")");
  }
}

/// The least memory that the group and its ancestors leave. In a container, the kernel may give a
/// group a name that is not mounted there. In this case only the root counts.
void look_up_from(const fs::path& root, const std::string& group, const GroupFiles& files,
                  std::optional<FreeMemory>& least) {
  fs::path relative = fs::path("/" + group).lexically_normal().relative_path();
  for (;; relative = relative.parent_path()) {
    look_at_group(root / relative, files, least);
    if (relative.empty()) return;
  }
}

void look_at_limit(int resource, const char* used, const char* limit,
                   std::optional<FreeMemory>& least) {
  rlimit allowed{};
  if (::getrlimit(static_cast<__rlimit_resource>(resource), &allowed) != 0 ||
      allowed.rlim_cur == RLIM_INFINITY)
    return;
  const double taken = kibibyte * number_of("/proc/self/status", used).value_or(0);
  lower(least, static_cast<double>(allowed.rlim_cur) - taken, limit);
}

double free_of_machine() {
  // MemAvailable, not MemFree, because the kernel can release its file cache.
  if (const auto kibibytes = number_of("/proc/meminfo", "MemAvailable:"))
    return kibibyte * *kibibytes;
  return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

std::string FreeMemory::description() const {
  return memory_text(bytes) + " are free" + (limit.empty() ? "" : " under " + limit);
}

std::optional<FreeMemory> free_in_control_groups(const std::string& root,
                                                 const std::string& membership) {
  std::optional<FreeMemory> least;
  std::istringstream lines(membership);
  // hierarchy:controllers:group
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    std::string controllers = line.substr(first, second - first) + ",";
    controllers.front() = ',';
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      look_up_from(root, group, version_2, least);
      look_up_from(fs::path(root) / "unified", group, version_2, least);
    } else if (controllers.find(",memory,") != std::string::npos) {
      look_up_from(fs::path(root) / "memory", group, version_1, least);
    }
  }
  return least;
}

FreeMemory free_memory(int processes) {
  std::optional<FreeMemory> least = FreeMemory{free_of_machine()};
  if (const auto group = free_in_control_groups("/sys/fs/cgroup", text_of("/proc/self/cgroup")))
    lower(least, group->bytes, group->limit);
  least->bytes /= processes;
  look_at_limit(RLIMIT_AS, "VmSize:", "the limit of address space (ulimit -v)", least);
  look_at_limit(RLIMIT_DATA, "VmData:", "the limit of data (ulimit -d)", least);
  return *least;
}

}  // namespace larmor
