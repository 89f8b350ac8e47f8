#include <cuda_runtime.h>
#include <sys/resource.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/core/device/gpu_architecture.hpp"
#include "larmor/core/device/gpu_profile.hpp"
#include "larmor/core/device/gpu_waits.hpp"
#include "larmor/core/device/jit_module.hpp"
#include "larmor/core/device/memory.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {

namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Free memory of the selected GPU: "1.2 GiB of its 139.8 GiB are free".
std::string free_memory_text() {
  std::size_t free_bytes = 0, total = 0;
  if (cudaMemGetInfo(&free_bytes, &total) != cudaSuccess) {
    cudaGetLastError();
    return "the free memory is unknown";
  }
  return memory_text(static_cast<double>(free_bytes)) + " of its " +
         memory_text(static_cast<double>(total)) + " are free";
}

/// Has this process a limit of address space? CUDA takes far more address space than memory, so
/// such a limit may make an allocation fail.
bool has_limited_address_space() {
  rlimit allowed{};
  return getrlimit(RLIMIT_AS, &allowed) == 0 && allowed.rlim_cur != RLIM_INFINITY;
}

const char* memory_remedy() {
  if (has_limited_address_space())
    return "; the limit of address space (ulimit -v) may be the cause: lift this limit first";
  return "; use fewer replicas or sites, or single precision, and check with `larmor devices` "
         "whether other programs hold memory";
}

}  // namespace

std::string error_text(int status) {
  const auto error = static_cast<cudaError_t>(status);
  const std::string message = cudaGetErrorString(error);
  switch (error) {
    case cudaErrorInsufficientDriver:
      if (versions().driver.empty())
        return "this machine has no driver for NVIDIA GPUs (its library libcuda.so.1 is missing)";
      [[fallthrough]];
    case cudaErrorCallRequiresNewerDriver:
    case cudaErrorUnsupportedPtxVersion:
      return "the driver of the GPU is older than this build's CUDA " +
             version_text(CUDART_VERSION) + "; a newer driver is needed";
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return "the parts of the GPU's driver do not fit each other (" + message +
             "); reinstall the driver, or restart the machine";
    case cudaErrorSystemNotReady:
    case cudaErrorInitializationError:
    case cudaErrorOperatingSystem:
      return "the driver of the GPU does not start (" + message +
             "); nvidia-smi should list the GPU, and this user needs access to /dev/nvidia*";
    case cudaErrorNoDevice:
      return "no GPU is visible to this process; check the environment variable "
             "CUDA_VISIBLE_DEVICES";
    case cudaErrorInvalidDevice:
      return "this GPU does not exist; `larmor devices` lists the GPUs of this machine";
    case cudaErrorDevicesUnavailable:
      return "the GPU is busy or closed: another program uses it exclusively, or its compute mode "
             "prohibits programs; `nvidia-smi -q -d COMPUTE` shows this mode";
    case cudaErrorMpsConnectionFailed:
    case cudaErrorMpsRpcFailure:
    case cudaErrorMpsServerNotReady:
    case cudaErrorMpsMaxClientsReached:
    case cudaErrorMpsMaxConnectionsReached:
    case cudaErrorMpsClientTerminated:
      return "NVIDIA's Multi-Process Service shares the GPU and refuses this program (" + message +
             ")";
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
      return "the GPU's memory or links have an uncorrectable error (" + message +
             "); its results cannot be trusted: use another GPU, or reset this one";
    case cudaErrorDeviceUninitialized:
    case cudaErrorContextIsDestroyed:
    case cudaErrorUnknown:
      return "the GPU was lost (" + message +
             "); the system's log (dmesg, lines with Xid) says why, and nvidia-smi lists usable "
             "GPUs";
    case cudaErrorLaunchTimeout:
      return "the driver stopped a kernel that took too long, because this GPU also drives a "
             "display";
    case cudaErrorMemoryAllocation:
      return std::string("the GPU's memory is full") + memory_remedy();
    case cudaErrorNoKernelImageForDevice:
      return "this build has kernels for compute capability " +
             capabilities_text(kernel_architectures()) + ", and none for this GPU";
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorMisalignedAddress:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
      return "a kernel failed: " + message +
             "; this is an error of Larmor, or of the GPU if dmesg has lines with Xid";
    default:
      return "the GPU does not answer as it should: " + message;
  }
}

void check(int status, const char* what) {
  if (status == cudaSuccess) return;
  // Clears the error, so that no later call reports it again, unless it persists.
  cudaGetLastError();
  if (status == cudaErrorMemoryAllocation)
    throw MachineError(std::string(what) + ": no memory, " + free_memory_text() + memory_remedy());
  throw MachineError(std::string(what) + ": " + error_text(status));
}

namespace {

/// @param query returns the status of the work at once @param wait returns it after the work has
/// ended
template <class Query, class Wait>
void wait_by(const Query& query, const Wait& wait, const char* what) {
  if (!waits_are_watched()) return check(wait(), what);
  wait_watched([&] {
    const cudaError_t status = query();
    if (status != cudaErrorNotReady) {
      check(status, what);
      return true;
    }
    cudaGetLastError();  // CUDA stores "not ready" as an error
    return false;
  });
}

void wait_for_stream(cudaStream_t waited, const char* what) {
  wait_by([&] { return cudaStreamQuery(waited); }, [&] { return cudaStreamSynchronize(waited); },
          what);
}

}  // namespace

void wait_for(CUevent_st* event, const char* what) {
  wait_by([&] { return cudaEventQuery(event); }, [&] { return cudaEventSynchronize(event); }, what);
}

namespace {

/// Page-locked memory and events that no transfer uses now. The pool keeps them because CUDA makes
/// them slowly.
struct TransferPool {
  std::mutex guard;
  std::multimap<std::size_t, void*> memory;
  std::vector<cudaEvent_t> events;

  static TransferPool& get() {
    static TransferPool pool;
    return pool;
  }
  void* acquire_memory(std::size_t bytes) {
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
  cudaEvent_t acquire_event() {
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

Transfer::Transfer(int ordinal, std::size_t bytes)
    : ordinal_(ordinal), bytes_(bytes), capacity_(power_of_two_from(bytes)) {
  check(cudaSetDevice(ordinal), "selecting a GPU");
  pinned_ = TransferPool::get().acquire_memory(capacity_);
  event_ = TransferPool::get().acquire_event();
}

Transfer::Transfer(int ordinal, const void* source, std::size_t bytes) : Transfer(ordinal, bytes) {
  {
    const LaunchRegion region(ordinal, "copies of results");
    check(cudaMemcpyAsync(pinned_, source, bytes, cudaMemcpyDeviceToHost, stream(ordinal)),
          "copying results");
  }
  mark();
}

void Transfer::mark() { check(cudaEventRecord(event_, stream(ordinal_)), "marking results"); }

Transfer::~Transfer() {
  // The copy may still write to this memory, which no other transfer may use before the copy ends.
  try {
    wait_for(event_, "waiting for results");
  } catch (const MachineError&) {
    // The caller that requested the results receives this error elsewhere.
  }
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
  wait_for(event_, "waiting for results");
  return pinned_;
}

namespace {

struct StreamOfGpu {
  int ordinal = 0;
  cudaStream_t stream = nullptr;  ///< null if no StreamScope is open
};
thread_local StreamOfGpu other_stream;
thread_local int streams_of_thread = 0;

/// Work that waits for its results at every step requests scratch memory each time. So the pool
/// keeps some memory instead of returning all of it to the system at every wait.
void keep_scratch(int ordinal) {
  std::uint64_t kept = std::uint64_t{64} << 20;
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, ordinal), "finding the memory pool of a GPU");
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
        "setting up the memory pool of a GPU");
}

}  // namespace

ThreadStreams::ThreadStreams(int number) { streams_of_thread = number; }

ThreadStreams::~ThreadStreams() { streams_of_thread = 0; }

StreamScope::StreamScope(int ordinal, CUstream_st* stream) { other_stream = {ordinal, stream}; }

StreamScope::~StreamScope() { other_stream = {}; }

CUstream_st* stream(int ordinal) {
  check(cudaSetDevice(ordinal), "selecting a GPU");
  if (other_stream.stream != nullptr && other_stream.ordinal == ordinal) return other_stream.stream;
  static std::mutex guard;
  static std::map<std::pair<int, int>, cudaStream_t> streams;
  const std::lock_guard lock(guard);
  const auto [known, is_new] = streams.try_emplace({ordinal, streams_of_thread}, nullptr);
  if (is_new) {
    check(cudaStreamCreateWithFlags(&known->second, cudaStreamNonBlocking), "making a stream");
    keep_scratch(ordinal);
  }
  return known->second;
}

void synchronise(int ordinal) {
  const Region region("waiting for the GPU");
  wait_for_stream(stream(ordinal), "waiting for the GPU");
}

std::string reason_against_gpu() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  cudaGetLastError();
  return status == cudaSuccess ? "" : error_text(status);
}

CudaVersions versions() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) cudaGetLastError();
  return {version_text(CUDART_VERSION), driver > 0 ? version_text(driver) : ""};
}

int gpu_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // without a driver there are no GPUs, which is not an error here
  return 0;
}

namespace {

/// A kernel that does nothing. All kernels are compiled for the GPUs for which this one is
/// compiled.
__global__ void probe() {}

/// @param attributes receives the attributes of the probe on the selected GPU
cudaError_t query_probe(cudaFuncAttributes& attributes) {
  const cudaError_t status = cudaFuncGetAttributes(&attributes, probe);
  if (status != cudaSuccess) cudaGetLastError();
  // The runtime returns `cudaErrorInvalidDeviceFunction` if the build has code only for other GPUs.
  return status == cudaErrorInvalidDeviceFunction ? cudaErrorNoKernelImageForDevice : status;
}

}  // namespace

int code_architecture(int ordinal) {
  static std::mutex guard;
  static std::map<int, int> found;
  const std::lock_guard lock(guard);
  if (const auto known = found.find(ordinal); known != found.end()) return known->second;
  cudaFuncAttributes attributes{};
  check(cudaSetDevice(ordinal), "selecting a GPU");
  check(query_probe(attributes), "looking for kernels");
  return found[ordinal] = attributes.ptxVersion;
}

GpuInfo gpu_info(int ordinal) {
  cudaDeviceProp properties;
  check(cudaGetDeviceProperties(&properties, ordinal), "reading a GPU's properties");
  GpuInfo gpu{
      ordinal, properties.name, properties.major, properties.minor, properties.totalGlobalMem, 0,
      ""};
  const GpuArchitecture capability{gpu.major, gpu.minor};
  if (!runs_on(kernel_architectures(), capability)) {
    gpu.problem = no_kernels_text(kernel_architectures(), capability);
    return gpu;
  }
  // A broken GPU, or one that another program uses exclusively, is listed with its problem.
  cudaError_t entered = cudaSetDevice(ordinal);
  if (entered == cudaSuccess) entered = cudaMemGetInfo(&gpu.free_bytes, &gpu.total_bytes);
  // If the kernels are PTX, the driver must support this version of PTX.
  cudaFuncAttributes attributes{};
  if (entered == cudaSuccess) entered = query_probe(attributes);
  if (entered != cudaSuccess) {
    cudaGetLastError();
    gpu.problem = error_text(entered);
  }
  return gpu;
}

void* allocate(int ordinal, std::size_t bytes) {
  check(cudaSetDevice(ordinal), "selecting a GPU");
  void* data = nullptr;
  const cudaError_t status = cudaMalloc(&data, bytes);
  if (status != cudaSuccess) {
    cudaGetLastError();
    if (status != cudaErrorMemoryAllocation) check(status, "asking for GPU memory");
    throw MachineError("GPU " + std::to_string(ordinal) + " cannot give " +
                       memory_text(static_cast<double>(bytes)) + ", " + free_memory_text() +
                       memory_remedy());
  }
  check(cudaMemsetAsync(data, 0, bytes, stream(ordinal)), "clearing GPU memory");
  return data;
}

void deallocate(int ordinal, void* data) noexcept {
  // cudaFree waits for the whole device, so no kernel still reads the memory. The wait in cudaFree
  // cannot be interrupted, so `drain` waits before it.
  if (waits_are_watched()) drain(ordinal);
  if (cudaSetDevice(ordinal) == cudaSuccess) cudaFree(data);
}

void drain(int ordinal) noexcept {
  try {
    wait_for_stream(stream(ordinal), "waiting for the GPU");
  } catch (const MachineError&) {
    // The caller that requested the work receives this error elsewhere.
  }
}

Scratch::Scratch(int ordinal, std::size_t bytes) : stream_(stream(ordinal)) {
  const cudaError_t status = cudaMallocAsync(&data_, bytes, stream_);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  if (status != cudaErrorMemoryAllocation) check(status, "asking for GPU memory");
  throw MachineError("GPU " + std::to_string(ordinal) + " cannot give " +
                     memory_text(static_cast<double>(bytes)) + " of scratch memory, " +
                     free_memory_text() + memory_remedy());
}

Scratch::~Scratch() { cudaFreeAsync(data_, stream_); }

void copy(int ordinal, void* destination, const void* source, std::size_t bytes) {
  const Region region("copies to and from the GPU");
  const cudaStream_t own_stream = stream(ordinal);
  {
    const LaunchRegion launch(ordinal, "copies");
    check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDefault, own_stream),
          "copying GPU memory");
  }
  wait_for_stream(own_stream, "copying GPU memory");
}

void copy_within(int ordinal, void* destination, const void* source, std::size_t bytes) {
  const LaunchRegion launch(ordinal, "copies");
  check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyDeviceToDevice, stream(ordinal)),
        "copying GPU memory");
}

void send(int ordinal, void* destination, const void* source, std::size_t bytes) {
  const LaunchRegion launch(ordinal, "copies");
  check(cudaMemcpyAsync(destination, source, bytes, cudaMemcpyHostToDevice, stream(ordinal)),
        "copying to GPU memory");
}

}  // namespace larmor::cuda
