#include "larmor/core/gpu/fft_buffer.hpp"

#include <fftw3.h>

#include "larmor/core/error.hpp"

namespace larmor {

FftBuffer::FftBuffer(Index doubles)
    : data_(static_cast<double*>(fftw_malloc(sizeof(double) * static_cast<std::size_t>(doubles)))) {
  if (data_ == nullptr) throw MachineError("out of memory for a Fourier transform");
}

FftBuffer::~FftBuffer() { fftw_free(data_); }

std::mutex& fft_planner() {
  static std::mutex planner;
  return planner;
}

}  // namespace larmor
