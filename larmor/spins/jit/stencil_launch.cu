#include <algorithm>

#include "larmor/spins/jit/stencil_launch.hpp"
#include "larmor/spins/jit/stencil_use.hpp"

namespace larmor::spins {
namespace {

/// n / unit, rounded up.
Index quotient(Index n, Index unit) { return (n + unit - 1) / unit; }

}  // namespace

std::vector<StencilShape> shapes_of_colours(const Stencil& stencil, StencilLaunch launch) {
  int colours = 0;
  for (const Sublattice& s : stencil.sublattices) colours = std::max(colours, s.colour + 1);
  std::vector<StencilShape> shapes;
  for (launch.colour = 0; launch.colour < colours; ++launch.colour)
    shapes.push_back(choose_shape(stencil, launch));
  return shapes;
}

std::vector<std::array<Index, 3>> layers_of_jit_kernels(const Model& model,
                                                        const SpinLayout& layout,
                                                        const Device& device) {
  std::vector<std::array<Index, 3>> layers;
  const auto add = [&](const Stencil& stencil, const StencilShape& shape) {
    layers.push_back(shape.cells_of_tile(stencil));
  };
  if (const auto whole = stencil_to_use(model, layout, device, StencilCells::crystal))
    add(*whole, choose_shape(*whole, launch_on(device, layout)));
  if (const auto coloured = stencil_to_use(model, layout, device, StencilCells::colours))
    for (const StencilShape& shape : shapes_of_colours(*coloured, launch_on(device, layout)))
      add(*coloured, shape);
  return layers;
}

int cut_axis_of(const SpinLayout& layout) {
  return layout.domain == nullptr ? -1 : layout.domain->cells->axis;
}

JitKernel::JitKernel(cuda::JitModule& module, const StencilKernel& kernel, const std::string& shown,
                     const Stencil& stencil, const SpinLayout& layout)
    : module_(&module),
      kernel_(module.kernel(kernel.name, shown)),
      layout_(layout),
      blocks_(kernel.shape.blocks(stencil, layout.blocks())),
      threads_(kernel.shape.threads()) {
  if (layout.domain != nullptr) find_layers(stencil, kernel.shape);
}

void JitKernel::find_layers(const Stencil& stencil, const StencilShape& shape) {
  const CellSlab& cells = *layout_.domain->cells;
  const auto axis = static_cast<std::size_t>(cells.axis);
  const Index layer = shape.cells_of_tile(stencil)[axis];
  const Index all = shape.tiles_along(stencil)[axis];
  blocks_ /= all;
  const Index first = cells.first / layer;
  const Index last = std::min(quotient(cells.last, layer), all);
  counted_ = {quotient(cells.first, layer), last};
  const Index inner_first = std::min(quotient(cells.first + cells.low, layer), last);
  const Index inner_last = std::max((cells.last - cells.high) / layer, inner_first);
  low_ = {first, inner_first};
  inner_ = {inner_first, std::min(inner_last, last)};
  high_ = {inner_.last, last};
}

void JitKernel::launch_layers(void** arguments, StencilOutput& output, const Layers& layers,
                              const Layers& after_gap, CUstream_st* stream) const {
  const Index count = layers.count() + after_gap.count();
  if (count == 0) return;
  output.first_layer = static_cast<unsigned>(layers.first);
  output.layers = static_cast<unsigned>(count);
  output.layers_before_gap = static_cast<unsigned>(layers.count());
  output.gap = static_cast<unsigned>(after_gap.first - layers.last);
  module_->launch(kernel_, blocks_ * count, threads_, arguments, false, stream);
}

void JitKernel::launch(void** arguments, StencilOutput output, bool follows,
                       const Written* written) const {
  arguments[3] = &output;
  const Domain* domain = layout_.domain;
  if (domain == nullptr) return module_->launch(kernel_, blocks_, threads_, arguments, follows);
  output.counted_from = static_cast<unsigned>(counted_.first);
  output.counted_to = static_cast<unsigned>(counted_.last);
  if (written == nullptr)
    return launch_layers(arguments, output, {low_.first, high_.last}, {high_.last, high_.last},
                         nullptr);
  CUstream_st* stream = domain->fork(domain->context);
  launch_layers(arguments, output, low_, high_, stream);
  domain->exchange(domain->context, written->field, written->sites, 0, layout_.blocks());
  launch_layers(arguments, output, inner_, {inner_.last, inner_.last}, nullptr);
  domain->join(domain->context);
}

}  // namespace larmor::spins
