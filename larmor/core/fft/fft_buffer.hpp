#pragma once
// Memory aligned for Fourier transforms.

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

}  // namespace larmor
