#pragma once
// Memory aligned the way FFTW likes it, and turns at its planner.

#include <mutex>

#include "larmor/core/types.hpp"

namespace larmor {

class FftBuffer {
 public:
  /// Not initialised. @throws MachineError when the memory cannot be had
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

/// Held by whoever makes or destroys plans: FFTW does not let two threads do so at once.
std::mutex& fft_planner();

}  // namespace larmor
