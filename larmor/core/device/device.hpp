#pragma once
// The device of a run, a team of CPU threads or one GPU, and its precision. It is chosen at run
// time: one binary has code for both.

#include <cstddef>
#include <string>
#include <vector>

#include "larmor/core/maths/precision.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

enum class Backend { cpu, cuda };

struct Device {
  Backend backend = Backend::cpu;
  int threads = 1;  ///< CPU only
  int ordinal = 0;  ///< CUDA only
  Precision precision = Precision::double_numbers;

  /// @param threads 0 for as many as the machine offers (OMP_NUM_THREADS is respected)
  static Device cpu(int threads = 0);
  /// @throws MachineError if this build has no CUDA or there is no such GPU
  static Device cuda(int ordinal = 0);
  /// Threads for loops on the host that work for this device.
  int host_threads() const;

  friend bool operator==(const Device&, const Device&) = default;
};

struct GpuInfo {
  int ordinal;
  std::string name;
  int major, minor;  ///< compute capability
  std::size_t total_bytes, free_bytes;
  std::string problem;  ///< why this process cannot use it; empty if it can
};

/// Number of GPUs visible to this process; 0 without CUDA, a driver or a device.
int gpu_count();

/// Opens only this GPU. An open GPU has less free memory. @throws MachineError if there is no such
/// GPU
GpuInfo gpu_info(int ordinal);

/// All GPUs; opens each of them.
std::vector<GpuInfo> list_gpus();

/// Why there are no GPUs, as a text for users.
std::string reason_against_gpu();

/// The first usable GPU, or -1. Later GPUs are not opened.
int first_usable_gpu();

struct CudaVersions {
  std::string build;   ///< version that a driver must support for this build, as "12.9"
  std::string driver;  ///< version that the driver supports; empty if there is no driver
};
/// Both are empty in a build without CUDA.
CudaVersions cuda_versions();

/// Was CUDA compiled in?
bool built_with_cuda();

/// Instruction set of hot loops: "v4", "v3", "v2" or "generic". It is the widest one of the
/// processor, or that in the environment variable LARMOR_INSTRUCTION_SET.
/// @throws InputError if the variable names another set @throws MachineError if the processor lacks
/// it
std::string cpu_instruction_set();

/// Waits until all launches on a GPU are done. @throws MachineError if the work failed
void synchronise(const Device& device);

/// Check for kernels that exist only on the CPU. @throws InternalError on a GPU
void require_cpu(const Device& device);

}  // namespace larmor
