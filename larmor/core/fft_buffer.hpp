#pragma once
// Memory aligned the way FFTW likes it.

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

}  // namespace larmor
