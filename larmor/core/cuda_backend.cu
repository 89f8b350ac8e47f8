#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <vector>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/error.hpp"
#include "larmor/core/gpu_profile.hpp"

namespace larmor::cuda {

std::string words_of(int status) {
  switch (static_cast<cudaError_t>(status)) {
    case cudaErrorInsufficientDriver:
      return "the driver of the GPU is older than this build's CUDA " +
             std::to_string(CUDART_VERSION / 1000) + "." +
             std::to_string(CUDART_VERSION % 1000 / 10) + "; a newer driver is needed";
    case cudaErrorNoDevice:
      return "no GPU is visible to this process (CUDA_VISIBLE_DEVICES?)";
    case cudaErrorDevicesUnavailable:
      return "the GPU is busy: another program has it for itself alone";
    case cudaErrorECCUncorrectable:
      return "the GPU's memory has an uncorrectable error (ECC); its results cannot be trusted";
    case cudaErrorMemoryAllocation:
      return "the GPU's memory is full";
    case cudaErrorNoKernelImageForDevice:
      return "this build has no kernels for this GPU; build with its CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorMisalignedAddress:
      return std::string("a kernel failed: ") +
             cudaGetErrorString(static_cast<cudaError_t>(status)) +
             "; this is an error of Larmor or of the GPU";
    default:
      return std::string("the GPU does not answer as it should: ") +
             cudaGetErrorString(static_cast<cudaError_t>(status));
  }
}

void check(int status, const char* what) {
  if (status != cudaSuccess) throw MachineError(std::string(what) + ": " + words_of(status));
}

namespace {

/// Page-locked memory and events that no transfer uses at the moment: both are slow to make.
struct TransferPool {
  std::mutex guard;
  std::multimap<std::size_t, void*> memory;
  std::vector<cudaEvent_t> events;

  static TransferPool& get() {
    static TransferPool pool;
    return pool;
  }
  void* take_memory(std::size_t bytes) {
    {
      const std::lock_guard lock(guard);
      const auto found = memory.find(bytes);
      if (found != memory.end()) {
        void* taken = found->second;
        memory.erase(found);
        return taken;
      }
    }
    void* made = nullptr;
    check(cudaMallocHost(&made, bytes), "locking memory for measurements");
    return made;
  }
  cudaEvent_t take_event() {
    {
      const std::lock_guard lock(guard);
      if (!events.empty()) {
        const cudaEvent_t taken = events.back();
        events.pop_back();
        return taken;
      }
    }
    cudaEvent_t made = nullptr;
    check(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "making an event");
    return made;
  }
};

std::size_t power_of_two_from(std::size_t bytes) {
  std::size_t size = 256;
  while (size < bytes) size *= 2;
  return size;
}

}  // namespace

Transfer::Transfer(int ordinal, const void* source, std::size_t bytes)
    : ordinal_(ordinal), bytes_(bytes), capacity_(power_of_two_from(bytes)) {
  const cudaStream_t on = stream(ordinal);
  pinned_ = TransferPool::get().take_memory(capacity_);
  event_ = TransferPool::get().take_event();
  {
    const LaunchRegion region(ordinal, "copies of results");
    check(cudaMemcpyAsync(pinned_, source, bytes, cudaMemcpyDeviceToHost, on), "copying results");
  }
  check(cudaEventRecord(event_, on), "marking results");
}

Transfer::~Transfer() {
  // The copy may still be writing: nobody else may get its memory before.
  cudaEventSynchronize(event_);
  TransferPool& pool = TransferPool::get();
  const std::lock_guard lock(pool.guard);
  pool.memory.emplace(capacity_, pinned_);
  pool.events.push_back(event_);
}

bool Transfer::done() const {
  const cudaError_t status = cudaEventQuery(event_);
  if (status == cudaErrorNotReady) return false;
  check(status, "waiting for results");
  return true;
}

const void* Transfer::wait() {
  const Region region("waiting for the GPU");
  check(cudaSetDevice(ordinal_), "selecting a GPU");
  check(cudaEventSynchronize(event_), "waiting for results");
  return pinned_;
}

CUstream_st* stream(int ordinal) {
  static std::mutex guard;
  static std::map<int, cudaStream_t> streams;
  const std::lock_guard lock(guard);
  check(cudaSetDevice(ordinal), "selecting a GPU");
  const auto [known, is_new] = streams.try_emplace(ordinal, nullptr);
  if (is_new)
    check(cudaStreamCreateWithFlags(&known->second, cudaStreamNonBlocking), "making a stream");
  return known->second;
}

void synchronise(int ordinal) {
  const Region region("waiting for the GPU");
  check(cudaStreamSynchronize(stream(ordinal)), "waiting for the GPU");
}

std::string why_no_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  return status == cudaSuccess ? "" : words_of(status);
}

std::vector<GpuInfo> list_gpus() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();  // no driver is not an error here: there are simply no GPUs
    return {};
  }
  std::vector<GpuInfo> gpus;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, ordinal), "reading a GPU's properties");
    check(cudaSetDevice(ordinal), "selecting a GPU");
    GpuInfo gpu{ordinal, properties.name, properties.major, properties.minor, 0, 0};
    check(cudaMemGetInfo(&gpu.free_bytes, &gpu.total_bytes), "reading a GPU's memory");
    gpus.push_back(gpu);
  }
  return gpus;
}

void* allocate(int ordinal, std::size_t bytes) {
  check(cudaSetDevice(ordinal), "selecting a GPU");
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, bytes);
  if (status != cudaSuccess) {
    cudaGetLastError();
    std::size_t free_bytes = 0, total = 0;
    cudaMemGetInfo(&free_bytes, &total);
    throw MachineError("GPU " + std::to_string(ordinal) + " cannot give " + std::to_string(bytes) +
                       " bytes (" + std::to_string(free_bytes) + " free of " +
                       std::to_string(total) + ")");
  }
  check(cudaMemsetAsync(data, 0, bytes, stream(ordinal)), "clearing GPU memory");
  return data;
}

void deallocate(int ordinal, void* data) noexcept {
  // cudaFree waits for the whole device: nothing still reads what it gives back.
  if (cudaSetDevice(ordinal) == cudaSuccess) cudaFree(data);
}

void copy(int ordinal, void* destination, const void* source, std::size_t bytes) {
  const Region region("copies to and from the GPU");
  const cudaStream_t on = stream(ordinal);
  {
    const LaunchRegion launch(ordinal, "copies");
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, on), "copying GPU memory");
  }
  check(cudaStreamSynchronize(on), "copying GPU memory");
}

}  // namespace larmor::cuda
