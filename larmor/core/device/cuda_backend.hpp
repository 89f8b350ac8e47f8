#pragma once
// The CUDA runtime calls behind Device and Array; compiled only where CUDA is found.

#include <cstddef>
#include <string>
#include <vector>

#include "larmor/core/device/device.hpp"

struct CUevent_st;
struct CUstream_st;

namespace larmor::cuda {

/// What a cudaError_t means for people.
std::string words_of(int status);
/// @throws MachineError unless a cudaError_t says success. Where memory ran out the message says
/// how much is free on the GPU that is selected
void check(int status, const char* what);
/// Why there are no GPUs; empty: there are some, or none is built in.
std::string why_no_gpu();

CudaVersions versions();

/// Everything of this process on one GPU runs on one stream, in order, unless OnStream or
/// OwnStreams says otherwise.
CUstream_st* stream(int ordinal);

/// While it lives, this thread has streams of its own, beside those of threads with other numbers:
/// what they launch may run side by side on a GPU. Threads that have none share the streams 0.
class OwnStreams {
 public:
  explicit OwnStreams(int number);
  ~OwnStreams();
  OwnStreams(const OwnStreams&) = delete;
  OwnStreams& operator=(const OwnStreams&) = delete;
};

/// While it lives, what this thread launches on a GPU runs on another stream, which the caller
/// forks and joins. One at a time.
class OnStream {
 public:
  OnStream(int ordinal, CUstream_st* stream);
  ~OnStream();
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;
};

int gpu_count();
GpuInfo gpu_info(int ordinal);
void* allocate(int ordinal, std::size_t bytes);
void deallocate(int ordinal, void* data) noexcept;
/// Waits for what was launched before. Direction found out from the pointers.
void copy(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Within the GPU's memory. Does not wait.
void copy_within(int ordinal, void* destination, const void* source, std::size_t bytes);
/// From memory of the host, which must stay as it is until the GPU has been waited for.
void send(int ordinal, void* destination, const void* source, std::size_t bytes);
/// Waits for a GPU before what it uses is destroyed, also where it has failed.
void settle(int ordinal) noexcept;

/// Memory for kernels launched while this lives: given back behind them, in the stream's order.
class Scratch {
 public:
  /// Not cleared. @throws MachineError saying what is free
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

/// A copy to page-locked memory behind everything launched before.
class Transfer {
 public:
  Transfer(int ordinal, const void* source, std::size_t bytes);
  /// For what kernels write to the host's memory themselves, between this and `mark`.
  Transfer(int ordinal, std::size_t bytes);
  ~Transfer();
  Transfer(const Transfer&) = delete;
  Transfer& operator=(const Transfer&) = delete;

  void* target() { return pinned_; }
  /// What was launched until now belongs to the transfer.
  void mark();
  bool done() const;
  /// Waits for the numbers. @return the bytes, valid as long as this
  const void* wait();
  std::size_t bytes() const { return bytes_; }

 private:
  int ordinal_;
  std::size_t bytes_, capacity_;
  void* pinned_;
  CUevent_st* event_;
};

/// Waits until everything launched is done. @throws MachineError when it failed
void synchronise(int ordinal);
/// Waits for an event. @throws MachineError, saying `what` was done, when it will not come
void wait_for(CUevent_st* event, const char* what);

}  // namespace larmor::cuda
