#pragma once
// Fourier transforms of many real fields on a GPU, in place, not normalised:
// f(k) = sum_n exp(-2 pi i k.n / size) f(n) and back.

#include <array>

#include "larmor/core/array.hpp"
#include "larmor/core/cufft_library.hpp"

namespace larmor::cuda {

/// How a field lies in memory, x fastest: rows of real numbers are as long as those of the half
/// spectrum (x in [0, size / 2]) that takes their place.
struct FftGrid {
  std::array<Index, 3> size;

  LARMOR_HD Index half() const { return size[0] / 2 + 1; }
  LARMOR_HD Index points() const { return size[0] * size[1] * size[2]; }
  LARMOR_HD Index half_points() const { return half() * size[1] * size[2]; }
  /// Real numbers from one field to the next, and from one row to the next.
  LARMOR_HD Index field_stride() const { return 2 * half_points(); }
  LARMOR_HD Index row_stride() const { return 2 * half(); }
};

/// @tparam Real double or float
template <class Real>
class GpuFft {
 public:
  /// @param fields one after the other @throws MachineError without cuFFT, or when the memory
  /// cannot be had
  GpuFft(const Device& device, const FftGrid& grid, Index fields);
  GpuFft(const GpuFft&) = delete;
  GpuFft& operator=(const GpuFft&) = delete;

  /// On the device's stream.
  void forward(Real* fields) const;
  void backward(Real* fields) const;

 private:
  class Plan {
   public:
    Plan(const Device& device, const FftGrid& grid, Index fields, bool forward);
    ~Plan() { cufft_library().destroy(plan); }
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;

    CufftPlan plan;
    std::size_t work_bytes = 0;
  };

  int ordinal_;
  Plan forward_, backward_;
  Array<std::byte> work_;  ///< of either
};

extern template class GpuFft<double>;
extern template class GpuFft<float>;

}  // namespace larmor::cuda
