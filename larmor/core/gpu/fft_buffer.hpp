#pragma once
// Memory aligned for FFTW, and a lock for its planner.

#include <mutex>

#include "larmor/core/types.hpp"

namespace larmor {

class FftBuffer {
 public:
  /// The numbers are not initialised. @throws MachineError if the memory cannot be allocated
  explicit FftBuffer(Index doubles);
  ~FftBuffer();
  FftBuffer(FftBuffer&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  FftBuffer& operator=(FftBuffer&&) = delete;
  FftBuffer(const FftBuffer&) = delete;
  FftBuffer& operator=(const FftBuffer&) = delete;

  double* data() const { return data_; }

 private:
  double* data_;
};

/// A lock for creating and destroying plans, which FFTW allows only one thread at a time.
std::mutex& fft_planner();

}  // namespace larmor
