#include "larmor/core/fft/fft_buffer.hpp"

#include <cstdlib>

#include "larmor/core/error.hpp"

namespace larmor {
namespace {

constexpr Index alignment = 64;

}  // namespace

FftBuffer::FftBuffer(Index doubles) {
  const Index bytes = static_cast<Index>(sizeof(double)) * doubles;
  // The function requires a multiple of the alignment.
  const Index whole = (bytes + alignment - 1) / alignment * alignment;
  data_ = static_cast<double*>(std::aligned_alloc(alignment, static_cast<std::size_t>(whole)));
  if (data_ == nullptr && doubles > 0) throw MachineError("out of memory for a Fourier transform");
}

FftBuffer::~FftBuffer() { std::free(data_); }

}  // namespace larmor
