// larmor devices: what this machine has and this build can use.

#include <fmt/core.h>
#include <omp.h>

#include <fstream>

#include "cli/commands.hpp"
#include "larmor/core/device.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

int devices() {
  constexpr double gib = 1024.0 * 1024 * 1024;
  fmt::print("larmor {} ({}), {}\n\n", version, commit, build);
  fmt::print("CPU   {}\n", processor_name());
  fmt::print("      {} thread(s), kernels for x86-64-{}, {:.1f} GiB of memory free\n",
             omp_get_max_threads(), cpu_instruction_set(), double(available_memory()) / gib);
  if (!built_with_cuda()) {
    fmt::print("CUDA  not in this build\n");
    return 0;
  }
  const std::vector<GpuInfo> gpus = list_gpus();
  if (gpus.empty()) fmt::print("CUDA  in this build, but no GPU: {}\n", why_no_gpu());
  for (const GpuInfo& gpu : gpus)
    fmt::print("GPU {} {}, compute capability {}.{}, {:.1f} of {:.1f} GiB free\n", gpu.ordinal,
               gpu.name, gpu.major, gpu.minor, double(gpu.free_bytes) / gib,
               double(gpu.total_bytes) / gib);
  return 0;
}

}  // namespace larmor::cli
