#pragma once
// Where work runs, a team of CPU threads or one GPU, and in which numbers. Chosen at run time; one
// binary holds both.

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

  /// @param threads 0: as many as the machine offers (OMP_NUM_THREADS respected)
  static Device cpu(int threads = 0);
  /// @throws MachineError when this build has no CUDA or there is no such GPU
  static Device cuda(int ordinal = 0);
  /// For loops on the host that work for this device.
  int host_threads() const;

  friend bool operator==(const Device&, const Device&) = default;
};

struct GpuInfo {
  int ordinal;
  std::string name;
  int major, minor;  ///< compute capability
  std::size_t total_bytes, free_bytes;
  std::string problem;  ///< why this process cannot use it; empty: it can
};

/// GPUs this process sees; 0 without CUDA, a driver or a device.
int gpu_count();

/// Enters that GPU, which takes some of its memory, and no other. @throws MachineError when there
/// is none of this number
GpuInfo gpu_info(int ordinal);

/// All of them, each entered.
std::vector<GpuInfo> list_gpus();

/// Why there are none, for people.
std::string why_no_gpu();

/// The first GPU that can be used; none behind it is entered. -1: there is none.
int first_usable_gpu();

struct CudaVersions {
  std::string build;   ///< that this build needs of a driver, as "12.9"
  std::string driver;  ///< that the driver here offers; empty: there is none
};
/// Both empty in a build without CUDA.
CudaVersions cuda_versions();

/// Was CUDA compiled in?
bool built_with_cuda();

/// Instruction set that hot loops will use here, "v4", "v3", "v2" or "generic": the widest that the
/// processor has, or what the environment's LARMOR_INSTRUCTION_SET names.
/// @throws InputError when that is none of them @throws MachineError when the processor lacks it
std::string cpu_instruction_set();

/// Waits until everything launched on a GPU is done. @throws MachineError when it failed
void synchronise(const Device& device);

/// For kernels that exist on the CPU only. @throws InternalError on a GPU
void require_cpu(const Device& device);

}  // namespace larmor
