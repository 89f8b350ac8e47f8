// larmor devices: prints the processors of this machine and the features of this build.

#include <fmt/core.h>
#include <omp.h>

#include <fstream>

#include "cli/commands.hpp"
#include "larmor/core/device/device.hpp"
#include "larmor/core/device/gpu_architecture.hpp"
#include "larmor/core/device/jit_compiler.hpp"
#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/gpu/cuda_libraries.hpp"
#include "larmor/core/ranks/communicator.hpp"
#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor_version.hpp"

namespace larmor::cli {
namespace {

std::string processor_name() {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

void print_gpu(const GpuInfo& gpu) {
  fmt::print("GPU {} {}, compute capability {}.{}, ", gpu.ordinal, gpu.name, gpu.major, gpu.minor);
  const std::string total = memory_text(static_cast<double>(gpu.total_bytes));
  if (gpu.problem.empty()) {
    fmt::print("{} of {} free\n", memory_text(static_cast<double>(gpu.free_bytes)), total);
    fmt::print("      kernels compiled for a model: {}\n",
               runtime_compiler_missing({gpu.major, gpu.minor}).value_or("yes"));
  } else {
    fmt::print("{}\n      cannot be used: {}\n", total, gpu.problem);
  }
}

std::string fft_text() {
#if defined(LARMOR_HAS_CUDA)
  try {
    cuda::cufft_library();
  } catch (const MachineError& error) {
    return error.what();
  }
#endif
  return "yes";
}

struct Devices final : Command {
  Devices() : Command("devices", "List processors and features of this build") {}

  int run() override {
    fmt::print("larmor {} ({}), {}\n\n", version, commit, build);
    fmt::print("CPU   {}\n", processor_name());
    const FreeMemory free = free_memory();
    fmt::print("      {} thread(s), kernels for x86-64-{}{}, {} of memory free{}\n",
               omp_get_max_threads(), cpu_instruction_set(),
               instruction_sets_here().size() == 1 ? " only" : "", memory_text(free.bytes),
               free.limit.empty() ? "" : " under " + free.limit);
    const std::string no_ranks = message_passing_missing();
    fmt::print("MPI   {}\n",
               no_ranks.empty() ? "yes: mpirun -n 2 larmor run study.toml" : no_ranks);
    if (!built_with_cuda()) {
      fmt::print("CUDA  not in this build\n");
      return 0;
    }
    const CudaVersions cuda = cuda_versions();
    fmt::print("CUDA  {} in this build, {}\n", cuda.build,
               cuda.driver.empty() ? "no driver here" : "the driver is for " + cuda.driver);
    fmt::print("      kernels for compute capability {}\n",
               capabilities_text(kernel_architectures()));
    const std::vector<GpuInfo> gpus = list_gpus();
    if (gpus.empty()) fmt::print("      no GPU: {}\n", reason_against_gpu());
    for (const GpuInfo& gpu : gpus) print_gpu(gpu);
    if (!gpus.empty()) fmt::print("      dipoles and structure factors by FFT: {}\n", fft_text());
    return 0;
  }
};

}  // namespace

std::unique_ptr<Command> make_devices() { return std::make_unique<Devices>(); }

}  // namespace larmor::cli
