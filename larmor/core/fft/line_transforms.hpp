#pragma once
// Transforms of many lines by pocketfft, compiled once per instruction set. `PocketFft` and its
// table exist only if LARMOR_FFT of CMake is pocketfft.

#include <memory>

#include "larmor/core/simd/cpu_kernels.hpp"
#include "larmor/core/types.hpp"

namespace larmor {

/// A plan for lines of `n` complex numbers, given as pairs of doubles.
class ComplexLines {
 public:
  virtual ~ComplexLines();
  /// Transforms `lines` adjacent lines in place: number i of line l is x[2 * (i * stride + l)].
  virtual void transform(double* x, Index stride, Index lines, bool forward) const = 0;
};

/// Doubles between the numbers of a line, and between two lines.
struct LineSteps {
  Index number, line;
};

/// A plan for lines of `n` real numbers and their half spectra of n / 2 + 1 complex numbers. A line
/// and its half spectrum may have the same place if lines do not overlap.
class RealLines {
 public:
  virtual ~RealLines();
  virtual void forward(const double* real, LineSteps real_steps, double* spectrum,
                       LineSteps spectrum_steps, Index lines) const = 0;
  virtual void backward(const double* spectrum, LineSteps spectrum_steps, double* real,
                        LineSteps real_steps, Index lines) const = 0;
};

struct PocketFft {
  std::unique_ptr<const ComplexLines> (*complex_lines)(Index n);
  std::unique_ptr<const RealLines> (*real_lines)(Index n);
};

LARMOR_CPU_KERNELS(PocketFft, pocket_fft)

}  // namespace larmor
