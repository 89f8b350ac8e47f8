#include "larmor/spins/observables/stencil_observer.hpp"
#include "larmor/spins/samplers/sweep_view.hpp"

namespace larmor::spins {

StencilObserver::StencilObserver(const Model& model, const Stencil& stencil,
                                 const SpinLayout& layout, const Device& device)
    : model_(&model), first_step_(device, 1) {
  StencilKernel kernel;
  kernel.name = "observe";
  kernel.view = "SweepView";
  kernel.input = "view.spins";
  kernel.observes = true;
  kernel.constants = table_constants("output.moment", model.moment_table());
  kernel.shape = choose_shape(stencil, launch_on(device, layout));
  kernel.cut_axis = cut_axis_of(layout);
  module_ = std::make_unique<cuda::JitModule>(
      device.ordinal,
      stencil_source(stencil, device.precision, {"larmor/spins/samplers/sweep_view.hpp"},
                     model_constants(stencil, model.view_without_neighbours(layout.replicas)),
                     {kernel}));
  kernel_ = JitKernel(*module_, kernel, "energy and magnetisation", stencil, layout);
  sums_ = std::make_unique<StencilSums>(layout, device, kernel.shape.blocks(stencil, 1), 1);
}

void StencilObserver::sum(const SpinState& state) {
  SweepView view{};
  view.model = model_->view_without_neighbours(state.layout().replicas);
  view.spins = state.reals();
  const std::uint64_t* first_step = first_step_.data();
  std::uint64_t step = 0;
  const StencilOutput output{nullptr, model_->moment_table(), sums_->of_sample(0)};
  void* arguments[] = {&view, &first_step, &step, nullptr};
  sums_->begin(1);
  kernel_.launch(arguments, output, false, nullptr);
  sums_->add_up(1);
}

Pending StencilObserver::measure(const SpinState& state) {
  sum(state);
  return sums_->numbers(1);
}

void StencilObserver::store_energies(const SpinState& state, double* energies) {
  sum(state);
  sums_->store_energies(energies);
}

}  // namespace larmor::spins
