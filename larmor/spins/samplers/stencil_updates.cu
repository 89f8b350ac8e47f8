#include <algorithm>
#include <optional>

#include "larmor/spins/samplers/stencil_updates.hpp"

namespace larmor::spins {
namespace {

/// Number of kernels in one launch graph. With separate launches a small system would wait for the
/// host.
constexpr Index recorded_kernels = 128;

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
      recorded_(device.ordinal),
      recorded_with_exchanges_(device.ordinal) {}

bool StencilUpdates::adds_energy(int colour, const ModelView& model) const {
  if (model.onsite.value.present() || model.field.value.present()) return true;
  for (const Sublattice& s : stencil_.sublattices)
    for (const SublatticeBond& bond : s.bonds)
      if (s.colour == colour &&
          stencil_.sublattices[static_cast<std::size_t>(bond.to)].colour < colour)
        return true;
  return false;
}

StencilUpdates::ColourKernels StencilUpdates::compile(const Kind& kind, const SweepView& sweep) {
  const UpdateInfo& info = info_of(kind.update);
  std::vector<StencilKernel> kernels;
  Index partials = 0;
  for (StencilShape& shape : shapes_of_colours(stencil_, launch_on(device_, layout_))) {
    StencilKernel kernel;
    kernel.name = "colour_" + std::to_string(kernels.size());
    kernel.functor = info.functor;
    kernel.view = "SweepView";
    kernel.input = "view.spins";
    kernel.counts = true;
    kernel.shape = std::move(shape);
    kernel.cut_axis = cut_axis_of(layout_);
    kernel.sums_energy =
        kind.sums_energy && adds_energy(static_cast<int>(kernels.size()), sweep.model);
    kernel.first_partial = partials;
    if (kernel.sums_energy) partials += kernel.shape.blocks(stencil_, 1);
    kernels.push_back(std::move(kernel));
  }
  for (StencilKernel& kernel : kernels) kernel.all_partials = partials;
  if (kind.sums_energy && partials != energy_partials_) {
    energy_partials_ = partials;
    energy_ = Array<double>(device_, layout_.blocks() * partials * lane_count);
  }
  ColourKernels result;
  result.module = std::make_unique<cuda::JitModule>(
      device_.ordinal, stencil_source(stencil_, device_.precision, {info.header},
                                      model_constants(stencil_, sweep.model), kernels));
  for (std::size_t n = 0; n < kernels.size(); ++n)
    result.colours.push_back(
        {JitKernel(*result.module, kernels[n], kernels[n].functor, stencil_, layout_),
         sites_of_colour(stencil_, static_cast<int>(n))});
  return result;
}

const StencilUpdates::ColourKernels& StencilUpdates::compiled(const Kind& kind,
                                                              const SweepView& sweep) {
  auto known = compiled_.find(kind);
  if (known == compiled_.end()) known = compiled_.emplace(kind, compile(kind, sweep)).first;
  return known->second;
}

void StencilUpdates::launch(const std::vector<ColourPass>& passes, const View& view,
                            const LaunchKey& key) {
  tempering::ExchangeTimes times{key.first, key.every, key.parity};
  const bool has_exchanges = key.first > 0, with_exchanges = view.exchange.rungs > 0;
  SweepView sweep = view.sweep;
  std::uint64_t step = 0;
  bool follows = false;
  const std::uint64_t* first_step = step_.first();
  StencilOutput output;
  void* arguments[] = {&sweep, &first_step, &step, nullptr};
  for (Index n = 0; n < key.sweeps; ++n) {
    const bool is_exchanged = has_exchanges && times.first == 1;
    for (const ColourPass& pass : passes) {
      const bool is_last = &pass == &passes.back();
      sweep.key.stream = pass.stream;
      output.counts = reinterpret_cast<unsigned long long*>(pass.accepted);
      output.sums = is_exchanged && is_last ? energy_.data() : nullptr;
      // Kernels that can sum energies also run in sweeps without a following exchange, so only one
      // code has to stay in the caches.
      const Kind kind{pass.update, with_exchanges && is_last};
      for (const Colour& colour : compiled_.at(kind).colours) {
        const JitKernel::Written written{sweep.spins,
                                         {colour.sites.data(), std::ssize(colour.sites)}};
        colour.kernel.launch(arguments, output, follows, &written);
        follows = true;
      }
      ++step;
    }
    if (is_exchanged) {
      tempering::ExchangePass exchange = view.exchange;
      exchange.first_rung = times.parity;
      exchange.key.step = step++;
      tempering::exchange_behind_sweeps(device_, exchange, {energy_.data(), energy_partials_},
                                        first_step);
    }
    if (has_exchanges) times = times.after(1);
  }
  step_.launch_advance(step);
}

StencilUpdates::LaunchKey StencilUpdates::key_of(Index sweeps, Index kernels,
                                                 const StencilExchanges* exchanges) const {
  const Index most = std::min(sweeps, std::max<Index>(1, recorded_kernels / kernels));
  if (exchanges == nullptr || exchanges->times.first > most) return {most};
  const tempering::ExchangeTimes& times = exchanges->times;
  // The graph ends with an exchange. If it has several exchanges, their number is even, so that the
  // next graph starts with an exchange of equal parity.
  const Index count = times.count(most), recorded = count > 1 ? count / 2 * 2 : 1;
  return {times.first + (recorded - 1) * times.every, times.first, times.every, times.parity};
}

std::uint64_t StencilUpdates::run(const std::vector<ColourPass>& passes, const SweepView& sweep,
                                  Index sweeps, const StencilExchanges* exchanges) {
  Index kernels = 0;
  for (const ColourPass& pass : passes) {
    const bool sums_energy = exchanges != nullptr && &pass == &passes.back();
    kernels += std::ssize(compiled({pass.update, sums_energy}, sweep).colours);
  }
  View view{sweep, {}};
  view.sweep.key.step = 0;
  std::optional<StencilExchanges> remaining;
  if (exchanges != nullptr) {
    remaining = *exchanges;
    view.exchange = exchanges->first;
    view.exchange.first_rung = 0;
  }
  std::uint64_t steps = 0;
  step_.set(sweep.key.step);
  while (sweeps > 0) {
    const LaunchKey key = key_of(sweeps, kernels, remaining ? &*remaining : nullptr);
    const auto launch_all = [&] { launch(passes, view, key); };
    if (layout_.domain != nullptr)
      launch_all();
    else
      (remaining ? recorded_with_exchanges_ : recorded_).launch(key, view, launch_all);
    std::uint64_t done = static_cast<std::uint64_t>(key.sweeps) * passes.size();
    if (remaining) {
      done += static_cast<std::uint64_t>(remaining->times.count(key.sweeps));
      remaining->times = remaining->times.after(key.sweeps);
    }
    step_.has_advanced(done);
    steps += done;
    sweeps -= key.sweeps;
  }
  return steps;
}

}  // namespace larmor::spins
