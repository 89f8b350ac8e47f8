#pragma once
// Fourier transforms of many real fields on a GPU, in place, not normalised:
// f(k) = sum_n exp(-2 pi i k.n / size) f(n), and the inverse.

#include <array>
#include <optional>
#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/gpu/cuda_libraries.hpp"

namespace larmor::cuda {

/// Layout of a field in memory, x fastest. The half spectrum (x in [0, size / 2]) replaces the
/// field. So rows of real numbers are padded to the length of rows of the half spectrum.
struct FftGrid {
  std::array<Index, 3> size;

  LARMOR_HD Index half() const { return size[0] / 2 + 1; }
  LARMOR_HD Index points() const { return size[0] * size[1] * size[2]; }
  LARMOR_HD Index half_points() const { return half() * size[1] * size[2]; }
  /// Strides in real numbers from field to field, and from row to row.
  LARMOR_HD Index field_stride() const { return 2 * half_points(); }
  LARMOR_HD Index row_stride() const { return 2 * half(); }
};

/// A plan of cuFFT for arrays whose last index runs fastest.
class GpuFftPlan {
 public:
  /// Layout of the numbers of one transform, and distance to the next transform.
  struct Side {
    std::vector<long long> embed;
    long long stride, distance;
  };
  struct Shape {
    std::vector<long long> size;
    Side in, out;
    CufftKind kind;
    Index batch;
  };
  /// The plan runs on the device's stream. @throws MachineError without cuFFT
  GpuFftPlan(const Device& device, Shape shape);
  ~GpuFftPlan() { cufft_library().destroy(plan_); }
  GpuFftPlan(const GpuFftPlan&) = delete;
  GpuFftPlan& operator=(const GpuFftPlan&) = delete;

  CufftPlan plan() const { return plan_; }
  Index work_bytes() const { return static_cast<Index>(work_bytes_); }
  /// Sets the work memory of later executions.
  void set_work_memory(Array<std::byte>& memory) const;

 private:
  CufftPlan plan_;
  std::size_t work_bytes_ = 0;
};

enum class FftDirections { forward, both };

/// @tparam Real double or float
template <class Real>
class GpuFft {
 public:
  /// @param fields number of consecutive fields @throws MachineError without cuFFT, or if the
  /// memory cannot be allocated
  GpuFft(const Device& device, const FftGrid& grid, Index fields, FftDirections directions);
  GpuFft(const GpuFft&) = delete;
  GpuFft& operator=(const GpuFft&) = delete;

  /// Launches the transform on the device's stream.
  void forward(Real* fields) const;
  /// @throws InternalError if there is no plan for the inverse
  void backward(Real* fields) const;

 private:
  int ordinal_;
  GpuFftPlan forward_;
  std::optional<GpuFftPlan> backward_;
  Array<std::byte> work_;  ///< work memory of both plans
};

/// Transforms of complex numbers along the first index of an array (n, columns), in place:
/// f(k, c) = sum_n exp(-2 pi i k n / size) f(n, c).
class GpuColumnFft {
 public:
  /// @throws MachineError without cuFFT, or if the memory cannot be allocated
  GpuColumnFft(const Device& device, Index size, Index columns);

  /// Launches the transform on the device's stream. @param numbers (n, column, re im)
  void forward(double* numbers) const;

 private:
  int ordinal_;
  GpuFftPlan plan_;
  Array<std::byte> work_;
};

extern template class GpuFft<double>;
extern template class GpuFft<float>;

}  // namespace larmor::cuda
