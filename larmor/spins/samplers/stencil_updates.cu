#include <algorithm>

#include "larmor/spins/samplers/stencil_updates.hpp"

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

std::vector<SiteRange> sites_of_colour(const Stencil& stencil, int colour) {
  std::vector<SiteRange> sites;
  for (const Sublattice& s : stencil.sublattices)
    if (s.colour == colour) sites.push_back({s.first, s.first + stencil.all_cells()});
  std::sort(sites.begin(), sites.end(),
            [](const SiteRange& a, const SiteRange& b) { return a.first < b.first; });
  return sites;
}

}  // namespace

StencilUpdates::StencilUpdates(Stencil stencil, const SpinLayout& layout, const Device& device)
    : stencil_(std::move(stencil)),
      layout_(layout),
      device_(device),
      step_(device),
      recorded_(device.ordinal) {}

StencilUpdates::ColourKernels StencilUpdates::compile(Update update, const SweepView& sweep) const {
  const UpdateText of = text_of(update);
  std::vector<StencilKernel> kernels;
  for (StencilShape& shape : shapes_of_colours(stencil_, launch_on(device_, layout_))) {
    StencilKernel kernel;
    kernel.name = "colour_" + std::to_string(kernels.size());
    kernel.functor = of.functor;
    kernel.view = "SweepView";
    kernel.input = "view.spins";
    kernel.counts = true;
    kernel.shape = std::move(shape);
    kernel.cut_axis = cut_axis_of(layout_);
    kernels.push_back(std::move(kernel));
  }
  ColourKernels of_colours;
  of_colours.module = std::make_unique<cuda::RuntimeModule>(
      device_.ordinal, stencil_source(stencil_, device_.precision, {of.header},
                                      settled_model(stencil_, sweep.model), kernels));
  for (std::size_t n = 0; n < kernels.size(); ++n)
    of_colours.colours.push_back(
        {SpecialisedKernel(*of_colours.module, kernels[n], kernels[n].functor, stencil_, layout_),
         sites_of_colour(stencil_, static_cast<int>(n))});
  return of_colours;
}

const StencilUpdates::ColourKernels& StencilUpdates::compiled(Update update,
                                                              const SweepView& sweep) {
  auto known = compiled_.find(update);
  if (known == compiled_.end()) known = compiled_.emplace(update, compile(update, sweep)).first;
  return known->second;
}

void StencilUpdates::launch(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps) {
  SweepView view = sweep;
  std::uint64_t step = 0;
  bool follows = false;
  const std::uint64_t* first_step = step_.first();
  StencilOutput output;
  void* arguments[] = {&view, &first_step, &step, nullptr};
  for (Index n = 0; n < sweeps; ++n)
    for (const Pass& pass : passes) {
      view.key.stream = pass.stream;
      output.counts = reinterpret_cast<unsigned long long*>(pass.accepted);
      const ColourKernels& kernels = compiled_.at(pass.update);
      for (const Colour& colour : kernels.colours) {
        const SpecialisedKernel::Written written{view.spins,
                                                 {colour.sites.data(), std::ssize(colour.sites)}};
        colour.kernel.launch(arguments, output, follows, &written);
        follows = true;
      }
      ++step;
    }
  step_.launch_advance(step);
}

void StencilUpdates::launch_recorded(const std::vector<Pass>& passes, const SweepView& sweep,
                                     Index sweeps) {
  if (layout_.slab != nullptr) return launch(passes, sweep, sweeps);
  recorded_.launch(sweeps, sweep, [&] { launch(passes, sweep, sweeps); });
}

void StencilUpdates::run(const std::vector<Pass>& passes, const SweepView& sweep, Index sweeps) {
  if (sweeps == 0) return;
  std::size_t kernels = 0;
  for (const Pass& pass : passes) kernels += compiled(pass.update, sweep).colours.size();
  SweepView view = sweep;
  view.key.step = 0;
  step_.set(sweep.key.step);
  step_.has_advanced(static_cast<std::uint64_t>(sweeps) * passes.size());
  const Index together = std::max<Index>(1, recorded_kernels / static_cast<Index>(kernels));
  for (; sweeps > together; sweeps -= together) launch_recorded(passes, view, together);
  launch_recorded(passes, view, sweeps);
}

}  // namespace larmor::spins
