#pragma once
// Plans of Fourier transforms on a CPU, by FFTW or by pocketfft (LARMOR_FFT of CMake). Transforms
// have no factor 1/n. A plan is equal in every run. Threads may use one plan at the same time.

#include <array>
#include <complex>
#include <memory>

#include "larmor/core/types.hpp"

namespace larmor {

/// forward: the sum of x_m exp(-2 pi i k m / n) over m
enum class FftDirection { forward, backward };

/// aligned: all data lie in an FftBuffer, from its begin
enum class FftMemory { aligned, any };

/// Transforms lines of complex numbers in place. Data have the order (point, field).
class LineFft {
 public:
  LineFft(Index points, Index fields, FftDirection direction, FftMemory memory);
  ~LineFft();
  LineFft(const LineFft&) = delete;
  LineFft& operator=(const LineFft&) = delete;

  void operator()(std::complex<double>* x) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

/// Transforms real fields on a plane forward. Real data have the order (row, column, field), half
/// spectra (row, columns / 2 + 1, field). All data are aligned.
class PlaneFft {
 public:
  PlaneFft(Index rows, Index columns, Index fields);
  ~PlaneFft();
  PlaneFft(const PlaneFft&) = delete;
  PlaneFft& operator=(const PlaneFft&) = delete;

  void operator()(const double* real, std::complex<double>* half_spectrum) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

/// Transforms one real field on a grid (z, y, x) in place. Rows along x have the length of their
/// half spectrum, 2 (nx / 2 + 1) doubles. All data are aligned.
class GridFft {
 public:
  /// @param size points along x, y and z
  explicit GridFft(const std::array<Index, 3>& size);
  ~GridFft();
  GridFft(const GridFft&) = delete;
  GridFft& operator=(const GridFft&) = delete;

  void forward(double* field) const;
  void backward(double* field) const;

 private:
  struct Plan;
  std::unique_ptr<const Plan> plan_;
};

}  // namespace larmor
