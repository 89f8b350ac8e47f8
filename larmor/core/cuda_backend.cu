#include <cuda_runtime.h>

#include <map>
#include <mutex>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw MachineError(std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace

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
  check(cudaStreamSynchronize(stream(ordinal)), "waiting for the GPU");
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
  const cudaStream_t on = stream(ordinal);
  check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, on), "copying GPU memory");
  check(cudaStreamSynchronize(on), "copying GPU memory");
}

}  // namespace larmor::cuda
