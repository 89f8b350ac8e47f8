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

  /// @param threads number of threads; 0: as many as the machine or OMP_NUM_THREADS offers
  static Device cpu(int threads = 0);
  /// @throws MachineError if this build has no CUDA or there is no such GPU
  static Device cuda(int ordinal = 0);
  /// Number of threads for loops that the host runs for this device.
  int host_threads() const;

  friend bool operator==(const Device&, const Device&) = default;
};

struct GpuInfo {
  int ordinal;
  std::string name;
  int major, minor;  ///< compute capability
  std::size_t total_bytes, free_bytes;
  std::string problem;  ///< why this process cannot use the GPU; empty if it can
};

/// Number of GPUs visible to this process; 0 without CUDA, a driver or a device.
int gpu_count();

/// Opens no other GPU, because an open GPU has less free memory.
/// @throws MachineError if there is no such GPU
GpuInfo gpu_info(int ordinal);

/// All GPUs; opens each of them.
std::vector<GpuInfo> list_gpus();

/// Why there are no GPUs, as a text for users.
std::string reason_against_gpu();

/// Number of the first usable GPU; -1 if there is none. Later GPUs are not opened.
int first_usable_gpu();

struct CudaVersions {
  std::string build;   ///< version that a driver must support for this build, as "12.9"
  std::string driver;  ///< version that the driver supports; empty if there is no driver
};
/// Both versions are empty in a build without CUDA.
CudaVersions cuda_versions();

/// Was CUDA compiled in?
bool built_with_cuda();

/// Instruction set of hot loops: "v4", "v3", "v2" or "generic". The environment variable
/// LARMOR_INSTRUCTION_SET decides first, then `use_instruction_set`. Otherwise it is the widest set
/// of the processor.
/// @throws InputError if the variable names another set
/// @throws MachineError if the processor lacks the set
std::string cpu_instruction_set();

/// Waits until all launches on a GPU are done. @throws MachineError if the work failed
void synchronise(const Device& device);

/// For kernels that exist only on the CPU. @throws InternalError on a GPU
void require_cpu(const Device& device);

}  // namespace larmor
