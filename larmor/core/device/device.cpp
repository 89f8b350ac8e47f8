#include "larmor/core/device/device.hpp"

#include <omp.h>

#include <algorithm>

#include "larmor/core/device/gpu_architecture.hpp"
#include "larmor/core/error.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/jit_module.hpp"
#endif

namespace larmor {

Device Device::cpu(int threads) {
  Device device;
  device.threads = threads > 0 ? threads : std::max(1, omp_get_max_threads());
  return device;
}

Device Device::cuda(int ordinal) {
  if (!built_with_cuda())
    throw MachineError("this build of Larmor has no CUDA; use backend \"cpu\" or build with nvcc");
  const GpuInfo gpu = gpu_info(ordinal);
  if (!gpu.problem.empty())
    throw MachineError("GPU " + std::to_string(ordinal) + ", " + gpu.name +
                       ", cannot be used: " + gpu.problem);
  Device device;
  device.backend = Backend::cuda;
  device.ordinal = ordinal;
  return device;
}

int Device::host_threads() const {
  return backend == Backend::cpu ? threads : std::max(1, omp_get_max_threads());
}

int gpu_count() {
#if defined(LARMOR_HAS_CUDA)
  return cuda::gpu_count();
#else
  return 0;
#endif
}

GpuInfo gpu_info(int ordinal) {
  const int count = gpu_count();
  if (ordinal < 0 || ordinal >= count)
    throw MachineError("there is no GPU " + std::to_string(ordinal) + ": " +
                       (count == 0 ? reason_against_gpu() : std::to_string(count) + " found") +
                       "; `larmor devices` lists the GPUs of this machine");
#if defined(LARMOR_HAS_CUDA)
  return cuda::gpu_info(ordinal);
#else
  return {};
#endif
}

GpuArchitecture architecture_of([[maybe_unused]] const Device& gpu) {
#if defined(LARMOR_HAS_CUDA)
  return cuda::architecture(gpu.ordinal);
#else
  throw MachineError(reason_against_gpu());
#endif
}

std::vector<GpuInfo> list_gpus() {
  std::vector<GpuInfo> gpus;
  for (int ordinal = 0; ordinal < gpu_count(); ++ordinal) gpus.push_back(gpu_info(ordinal));
  return gpus;
}

std::string reason_against_gpu() {
#if defined(LARMOR_HAS_CUDA)
  return cuda::reason_against_gpu();
#else
  return "this build has no CUDA";
#endif
}

int first_usable_gpu() {
  const int count = gpu_count();
  for (int ordinal = 0; ordinal < count; ++ordinal)
    if (gpu_info(ordinal).problem.empty()) return ordinal;
  return -1;
}

CudaVersions cuda_versions() {
#if defined(LARMOR_HAS_CUDA)
  return cuda::versions();
#else
  return {};
#endif
}

bool built_with_cuda() {
#if defined(LARMOR_HAS_CUDA)
  return true;
#else
  return false;
#endif
}

void synchronise([[maybe_unused]] const Device& device) {
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) cuda::synchronise(device.ordinal);
#endif
}

void require_cpu(const Device& device) {
  if (device.backend != Backend::cpu)
    throw InternalError("a kernel that was not compiled for CUDA was started on a GPU");
  if (device.precision == Precision::mixed_numbers)
    throw InternalError("a CPU kernel was started in mixed precision");
}

}  // namespace larmor
