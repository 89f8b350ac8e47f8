#include <algorithm>

#include "larmor/spins/samplers/stencil_updates.hpp"
#include "larmor/spins/summed_slot.hpp"

namespace larmor::spins {
namespace {

struct UpdateText {
  const char* header;
  const char* functor;
};

UpdateText text_of(Update update) {
  switch (update) {
    case Update::metropolis:
      return {"larmor/spins/samplers/metropolis_kernel.hpp", "Metropolis<bond_class>"};
    case Update::heat_bath:
      return {"larmor/spins/samplers/heat_bath_kernel.hpp", "HeatBath<bond_class>"};
    default:
      return {"larmor/spins/samplers/over_relaxation_kernel.hpp", "OverRelaxation<bond_class>"};
  }
}

}  // namespace

StencilUpdates::StencilUpdates(Stencil stencil, const SpinLayout& layout, const Device& device)
    : stencil_(std::move(stencil)), layout_(layout), device_(device), first_step_(device, 1) {}

bool StencilUpdates::knows(const SweepView& sweep) {
  return !sweep.model.biquadratic.value.present() && sweep.model.bonds.block_stride == 0 &&
         !sweep.model.long_range.present();
}

StencilUpdates::Made StencilUpdates::make(Update update, const SweepView& sweep) const {
  const UpdateText of = text_of(update);
  int colours = 0;
  for (const Sublattice& s : stencil_.sublattices) colours = std::max(colours, s.colour + 1);
  StencilLaunch launch;
  launch.replicas = layout_.replicas;
  launch.precision = device_.precision;
  launch.multiprocessors = cuda::multiprocessors(device_.ordinal);
  std::vector<StencilKernel> kernels;
  for (launch.colour = 0; launch.colour < colours; ++launch.colour) {
    StencilKernel kernel;
    kernel.name = "colour_" + std::to_string(launch.colour);
    kernel.functor = of.functor;
    kernel.view = "SweepView";
    kernel.input = "view.spins";
    kernel.counts = true;
    kernel.shape = choose_shape(stencil_, launch);
    kernels.push_back(std::move(kernel));
  }
  Made made;
  made.module = std::make_unique<cuda::RuntimeModule>(
      device_.ordinal, stencil_source(stencil_, device_.precision, {of.header},
                                      settled_model(stencil_, sweep.model), kernels));
  for (const StencilKernel& kernel : kernels)
    made.colours.push_back({made.module->kernel(kernel.name, kernel.functor),
                            kernel.shape.blocks(stencil_, layout_.blocks()),
                            kernel.shape.threads()});
  return made;
}

void StencilUpdates::run(Update update, const SweepView& sweep, std::uint64_t* accepted) {
  auto made = made_.find(update);
  if (made == made_.end()) made = made_.emplace(update, make(update, sweep)).first;
  SweepView view = sweep;
  view.key.step = 0;
  std::uint64_t step = sweep.key.step;
  const std::uint64_t* first_step = first_step_.data();
  StencilOutput output;
  output.counts = reinterpret_cast<unsigned long long*>(accepted);
  void* arguments[] = {&view, &first_step, &step, &output};
  for (const Colour& colour : made->second.colours)
    made->second.module->launch(colour.kernel, colour.blocks, colour.threads, arguments, true);
}

}  // namespace larmor::spins
