#include <algorithm>

#include "larmor/spins/samplers/stencil_updates.hpp"
#include "larmor/spins/stencil_launch.hpp"
#include "larmor/spins/summed_slot.hpp"

namespace larmor::spins {
namespace {

/// Kernels that are recorded and launched together: launching each by itself would keep a small
/// system waiting for the host.
constexpr Index recorded_kernels = 128;

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
    : stencil_(std::move(stencil)),
      layout_(layout),
      device_(device),
      step_(device),
      recorded_(device.ordinal) {}

StencilUpdates::Made StencilUpdates::make(Update update, const SweepView& sweep) const {
  const UpdateText of = text_of(update);
  int colours = 0;
  for (const Sublattice& s : stencil_.sublattices) colours = std::max(colours, s.colour + 1);
  StencilLaunch launch = launch_on(device_, layout_);
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

const StencilUpdates::Made& StencilUpdates::made(Update update, const SweepView& sweep) {
  auto known = made_.find(update);
  if (known == made_.end()) known = made_.emplace(update, make(update, sweep)).first;
  return known->second;
}

void StencilUpdates::launch(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps) {
  SweepView view = sweep;
  std::uint64_t step = 0;
  bool follows = false;
  const std::uint64_t* first_step = step_.first();
  StencilOutput output;
  void* arguments[] = {&view, &first_step, &step, &output};
  for (Index n = 0; n < sweeps; ++n)
    for (const Pass& pass : passes) {
      view.key.stream = pass.stream;
      output.counts = reinterpret_cast<unsigned long long*>(pass.accepted);
      const Made& kernels = made_.at(pass.update);
      for (const Colour& colour : kernels.colours) {
        kernels.module->launch(colour.kernel, colour.blocks, colour.threads, arguments, follows);
        follows = true;
      }
      ++step;
    }
  step_.launch_advance(step);
}

void StencilUpdates::launch_recorded(const std::vector<Pass>& passes, const SweepView& sweep,
                                     Index sweeps) {
  recorded_.launch(sweeps, sweep, [&] { launch(passes, sweep, sweeps); });
}

void StencilUpdates::run(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps) {
  if (sweeps == 0) return;
  std::size_t kernels = 0;
  for (const Pass& pass : passes) kernels += made(pass.update, sweep).colours.size();
  SweepView view = sweep;
  view.key.step = 0;
  step_.set(sweep.key.step);
  step_.has_advanced(static_cast<std::uint64_t>(sweeps) * passes.size());
  const Index together = std::max<Index>(1, recorded_kernels / static_cast<Index>(kernels));
  for (; sweeps > together; sweeps -= together) launch_recorded(passes, view, together);
  launch_recorded(passes, view, sweeps);
}

}  // namespace larmor::spins
