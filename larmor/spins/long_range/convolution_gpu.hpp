#pragma once
// A convolution on a GPU: spins are gathered onto the grid, transformed by cuFFT, multiplied by the
// tensors, transformed back and scattered, without leaving the device.

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "larmor/core/device/device.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

struct GpuConvolutionTables {
  std::array<Index, 3> grid, cells;  ///< points of the transforms; cells of the lattice
  Index atoms;
  std::vector<std::int32_t> position;  ///< in storage, of each canonical site
  std::vector<double> weight;          ///< of each canonical site
  std::span<const double> tensors;     ///< in convolution_kernel.hpp's order
};

class GpuConvolution {
 public:
  virtual ~GpuConvolution() = default;
  /// As Convolution's.
  virtual void store_field(const SpinLayout& layout, const Reals& spins, Index block,
                           const Reals& field) = 0;
  virtual void transform_only(const SpinLayout& layout, Index times) = 0;
};

/// In the precision of the device; mixed: with transforms in double.
/// @throws MachineError without cuFFT, or when the memory cannot be had
std::unique_ptr<GpuConvolution> make_gpu_convolution(const Device& device,
                                                     const GpuConvolutionTables& tables);

}  // namespace larmor::spins
