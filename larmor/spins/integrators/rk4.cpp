#include "larmor/spins/integrators/rk4.hpp"

#include "larmor/spins/schedule.hpp"

namespace larmor::spins {

Rk4::Rk4(const Model& model, const SpinLayout& layout, double timestep, double gyromagnetic_ratio,
         const Device& device)
    : model_(&model),
      layout_(layout),
      timestep_(timestep),
      precession_(model.inverse_moments(gyromagnetic_ratio)),
      sum_(device, layout.doubles()),
      stage_a_(device, layout.doubles()),
      stage_b_(device, layout.doubles()) {}

void Rk4::run(SpinState& state, Index steps) {
  const SpinKernels& kernels = spin_kernels();
  Rk4View view;
  view.model = model_->view(layout_.replicas);
  view.spins = state.data();
  view.sum = sum_.data();
  view.stage_a = stage_a_.data();
  view.stage_b = stage_b_.data();
  view.precession = precession_.table();
  view.timestep = timestep_;
  for_each_block(state.device(), layout_, [&](const Device& device, Index block) {
    for (Index step = 0; step < steps; ++step) kernels.rk4_step(device, view, block);
  });
  state.step += static_cast<std::uint64_t>(steps);
}

}  // namespace larmor::spins
