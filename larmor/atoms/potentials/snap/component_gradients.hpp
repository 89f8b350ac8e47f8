#pragma once
// Derivatives of all bispectrum components of eight atoms by the positions of their neighbours, for
// fits. dB/dU of each component has only the layers j, j1 and j2 of this component. The gradients
// then follow by generators of rotations, as those of the energy (gradients.hpp).

#include <vector>

#include "larmor/atoms/potentials/snap/group_kernel.hpp"

namespace larmor::atoms::snap {

/// A layer of dB/dU of a component, for the density U of one channel.
struct ComponentLayer {
  int j;
  int place;  ///< first element of its half, row by row, in the array of the channel
};

struct ComponentPlanView {
  const ComponentLayer* layer;  ///< layers of all components of all channels
  const int* first_layer;       ///< first layer of a component (channels, components + 1)
  const int* place;             ///< place of a layer (channels, components, layers); -1: none
  int components;               ///< components of all channels
  int most_elements;            ///< the most elements of a channel
};

/// The layers of all components.
class ComponentPlan {
 public:
  explicit ComponentPlan(const SnapView& view);
  ComponentPlanView view() const {
    return {layers_.data(), first_layer_.data(), place_.data(), components_, most_elements_};
  }

 private:
  std::vector<ComponentLayer> layers_;
  std::vector<int> first_layer_, place_;
  int components_, most_elements_ = 0;
};

struct ComponentKernels {
  /// @param work [component_work], aligned to 64 bytes @param gradient (slot, component, 3, 8)
  void (*gradients)(const SnapView& view, const SnapGroup& group, const ComponentPlanView& plan,
                    double* work, double* gradient);
};

/// Numbers of the work array of the kernel.
Index component_work(const SnapView& view, const ComponentPlanView& plan);

/// The kernels for this machine's instruction set.
LARMOR_CPU_KERNELS(ComponentKernels, component_kernels)

}  // namespace larmor::atoms::snap
