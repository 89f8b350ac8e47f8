#pragma once
// A convolution on a GPU. It gathers spins onto the grid, transforms with cuFFT, multiplies by the
// tensors, transforms back, and scatters the fields to the sites. All data stay on the device.

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
  std::vector<std::int32_t> position;  ///< storage position of each canonical site
  std::vector<double> weight;          ///< weight of each canonical site
  std::span<const double> tensors;     ///< in the order of convolution_product.hpp
};

class GpuConvolution {
 public:
  virtual ~GpuConvolution() = default;
  /// Does the work of Convolution::store_field.
  virtual void store_field(const SpinLayout& layout, const Reals& spins, Index block,
                           const Reals& field) = 0;
  virtual void transform_only(const SpinLayout& layout, Index times) = 0;
};

/// A convolution in the precision of the device. In mixed precision, transforms are in double.
/// @throws MachineError without cuFFT, or if memory is insufficient
std::unique_ptr<GpuConvolution> make_gpu_convolution(const Device& device,
                                                     const GpuConvolutionTables& tables);

}  // namespace larmor::spins
