#pragma once
// Calls of the CUDA runtime for Device and Array; compiled only if CUDA is found.

#include <cstddef>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

/// Description of a cudaError_t for users.
std::string error_text(int status);
/// @throws MachineError unless a cudaError_t means success. If memory ran out, the message says how
/// much is free on the selected GPU
void check(int status, const char* what);
/// Why there are no GPUs; empty if CUDA reports no error.
std::string reason_against_gpu();

CudaVersions versions();

/// The stream of a GPU. All work of this process on a GPU runs on one stream, in order, except
/// under StreamScope or ThreadStreams.
CUstream_st* stream(int ordinal);

/// Gives this thread its own streams in this scope, separate from the streams of threads with other
/// numbers. Launches of such threads may run concurrently on a GPU. Threads without such a scope
/// share the streams 0.
class ThreadStreams {
 public:
  explicit ThreadStreams(int number);
  ~ThreadStreams();
  ThreadStreams(const ThreadStreams&) = delete;
  ThreadStreams& operator=(const ThreadStreams&) = delete;
};

/// Redirects the launches of this thread on a GPU to another stream in this scope. The caller makes
/// this stream wait for the GPU's own stream, and the GPU's own stream wait for this one. Scopes do
/// not nest.
class StreamScope {
 public:
  StreamScope(int ordinal, CUstream_st* stream);
  ~StreamScope();
  StreamScope(const StreamScope&) = delete;
  StreamScope& operator=(const StreamScope&) = delete;
};

int gpu_count();
GpuInfo gpu_info(int ordinal);
/// Memory of zeros. @throws MachineError that says how much is free
void* allocate(int ordinal, std::size_t bytes);
void deallocate(int ordinal, void* data) noexcept;
/// Copies and waits for all earlier launches. The pointers determine the direction.
void copy(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Copies within the GPU's memory. Does not wait.
void copy_within(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Copies from memory of the host, which must not change until the GPU has been waited for.
void send(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Waits for a GPU, so that its resources can be destroyed. Does not report a failure of the GPU.
void drain(int ordinal) noexcept;

/// Memory for kernels launched in this scope. In stream order, it is freed after these kernels.
class Scratch {
 public:
  /// The memory is not cleared. @throws MachineError that says how much is free
  Scratch(int ordinal, std::size_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  CUstream_st* stream_;
  void* data_ = nullptr;
};

/// A copy to page-locked memory after all earlier launches.
class Transfer {
 public:
  Transfer(int ordinal, const void* source, std::size_t bytes);
  /// For kernels that write to the host's memory without a copy. The caller launches them, then
  /// calls `mark`.
  Transfer(int ordinal, std::size_t bytes);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void* target() { return pinned_; }
  /// All launches until now belong to the transfer.
  void mark();
  bool done() const;
  /// Waits for the end of the transfer. @return the bytes, valid during the lifetime of this object
  const void* wait();
  std::size_t bytes() const { return bytes_; }

 private:
  int ordinal_;
  std::size_t bytes_, capacity_;
  void* pinned_;
  CUevent_st* event_;
};

/// Waits until all launches are done. @throws MachineError if the work failed
void synchronise(int ordinal);
/// Waits for an event. @throws MachineError, which names the work `what`, if the event cannot
/// happen any more
void wait_for(CUevent_st* event, const char* what);

}  // namespace larmor::cuda
