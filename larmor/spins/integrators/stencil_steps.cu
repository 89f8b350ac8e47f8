#include <cuda_runtime.h>

#include <algorithm>

#include "larmor/core/device/cuda_backend.hpp"
#include "larmor/spins/integrators/stencil_steps.hpp"

namespace larmor::spins {
namespace {

/// Number of steps in one launch graph. With separate launches a small system would wait for the
/// host.
constexpr Index recorded_steps = 64;
constexpr Index most_recorded_steps = 4 * recorded_steps;

struct Stage {
  StageInfo text;
  /// The output of this stage. The next stage reads it at neighbours.
  Reals (*written)(const LlgView& view);
};

template <class... Kernel>
std::vector<Stage> stages_of(std::span<const StageInfo> texts, Stages<Kernel...>) {
  std::size_t n = 0;
  return {Stage{texts[n++], [](const LlgView& view) { return Kernel{view}.output(); }}...};
}

/// The output field of a kernel does not depend on the bond class, so any class serves.
std::vector<Stage> stages_of(Scheme scheme) {
  return with_explicit_scheme(scheme, [](auto explicit_scheme) {
    using S = decltype(explicit_scheme);
    return stages_of(S::stages, typename S::template Kernels<BondClass::scalar>{});
  });
}

std::string constants(const Stencil& stencil, const LlgView& view) {
  std::string text = model_constants(stencil, view.model);
  text += table_constants("view.site", view.site);
  text += "  view.torque.drift = ModelView{};\n";
  text += std::string("  view.driven = ") + (view.driven ? "true" : "false") + ";\n";
  text += std::string("  view.torque.polarised = ") + (view.torque.polarised ? "true" : "false") +
          ";\n";
  text += view.root_thermal_energy == nullptr
              ? "  view.root_thermal_energy = nullptr;\n"
              : "  __builtin_assume(view.root_thermal_energy != nullptr);\n";
  return text;
}

}  // namespace

StencilSteps::StencilSteps(Stencil stencil, const SpinLayout& layout, const Device& device)
    : stencil_(std::move(stencil)),
      layout_(layout),
      device_(device),
      step_(device),
      recorded_(device.ordinal) {}

bool StencilSteps::supports(Scheme scheme, const LlgView& view) {
  return info_of(scheme).header != nullptr && !view.torque.drift.bonds.value.present();
}

StencilShape StencilSteps::shape() const {
  return choose_shape(stencil_, launch_on(device_, layout_));
}

Index StencilSteps::samples_at_once() const {
  const Index of_sample = StencilSums::bytes_of_sample(shape().blocks(stencil_, layout_.blocks()));
  return std::max<Index>(1, StencilSums::most_bytes / of_sample);
}

void StencilSteps::prepare(Scheme scheme, const LlgView& view) {
  // Generating the text takes longer than many steps of a small system, so it is done only after a
  // change of the data that the text contains.
  LlgView lasting = view;
  lasting.drive = {};
  lasting.key = {};
  const bool observes = moment_.has_value();
  if (module_ && scheme == compiled_scheme_ && lasting == compiled_view_ &&
      observes == observing_.exists())
    return;
  const StencilShape shape = this->shape();
  std::vector<StencilKernel> kernels;
  for (const auto& [stage, written] : stages_of(scheme)) {
    StencilKernel kernel;
    kernel.name = "stage_" + std::to_string(kernels.size() + 1);
    kernel.functor = stage.functor;
    kernel.view = "LlgView";
    kernel.input = kernel.functor + "{view}.input()";
    kernel.noisy = stage.draws_noise && view.root_thermal_energy != nullptr;
    kernel.shape = shape;
    kernel.cut_axis = cut_axis_of(layout_);
    kernels.push_back(std::move(kernel));
  }
  if (observes) {
    StencilKernel first = kernels.front();
    first.name = "observed_stage_1";
    first.observes = true;
    first.constants = table_constants("output.moment", *moment_);
    kernels.push_back(std::move(first));
  }
  std::string text = stencil_source(stencil_, device_.precision, {info_of(scheme).header},
                                    constants(stencil_, view), kernels);
  if (text != text_) {
    auto compiled = std::make_unique<cuda::JitModule>(device_.ordinal, text);
    std::vector<JitKernel> stages;
    JitKernel observing;
    for (const StencilKernel& kernel : kernels) {
      JitKernel stage(*compiled, kernel, kernel.functor + (kernel.observes ? ", measuring" : ""),
                      stencil_, layout_);
      if (kernel.observes)
        observing = stage;
      else
        stages.push_back(stage);
    }
    recorded_.forget();
    stages_ = std::move(stages);
    observing_ = observing;
    module_ = std::move(compiled);
    text_ = std::move(text);
  }
  compiled_scheme_ = scheme;
  compiled_view_ = lasting;
}

/// A kernel reads the number of the first step before it waits for the preceding kernel. So the
/// preceding kernel must not write this number.
/// @param follows does this step follow another one?
/// @param sums output of a measurement; null if the step does not measure
void StencilSteps::launch_step(const LlgView& view, std::uint64_t step, bool follows,
                               double* sums) {
  const std::uint64_t* first_step = step_.first();
  StencilOutput output;
  LlgView argument = view;
  void* arguments[] = {&argument, &first_step, &step, nullptr};
  const std::vector<Stage> stages = stages_of(compiled_scheme_);
  const SiteRange all{0, layout_.spins()};
  for (std::size_t n = 0; n < stages_.size(); ++n) {
    const bool observes = sums != nullptr && n == 0;
    if (observes) {
      output.moment = *moment_;
      output.sums = sums;
    }
    const JitKernel::Written written{stages[n].written(view), {&all, 1}};
    (observes ? observing_ : stages_[n]).launch(arguments, output, follows, &written);
    follows = true;
  }
}

/// Launches the steps of `key`, and adds up the sums of each measurement.
/// @param drive one entry for each step, or empty
void StencilSteps::launch_steps(LlgView view, const LaunchKey& key,
                                std::span<const StepDrive> drive) {
  const auto [steps, every] = key;
  const Index samples = every > 0 ? (steps + every - 1) / every : 0;
  if (samples > 0) sums_->begin(samples);
  for (Index step = 0; step < steps; ++step) {
    if (!drive.empty()) view.drive = drive[static_cast<std::size_t>(step)];
    double* sums = every > 0 && step % every == 0 ? sums_->of_sample(step / every) : nullptr;
    launch_step(view, static_cast<std::uint64_t>(step), step > 0, sums);
  }
  if (samples > 0) sums_->add_up(samples);
  step_.launch_advance(static_cast<std::uint64_t>(steps));
}

void StencilSteps::launch_recorded(const LlgView& view, const LaunchKey& key) {
  if (layout_.domain != nullptr) return launch_steps(view, key, {});
  recorded_.launch(key, view, [&] { launch_steps(view, key, {}); });
}

void StencilSteps::run(Scheme scheme, LlgView view, Index steps, std::span<const StepDrive> drive) {
  if (steps == 0) return;
  prepare(scheme, view);
  step_.set(view.key.step);
  step_.has_advanced(static_cast<std::uint64_t>(steps));
  view.key.step = 0;
  if (!drive.empty()) return launch_steps(view, {steps, 0}, drive);
  for (; steps > most_recorded_steps; steps -= recorded_steps)
    launch_recorded(view, {recorded_steps, 0});
  launch_recorded(view, {steps, 0});
}

Pending StencilSteps::run_observed(Scheme scheme, LlgView view, const RowTable& moment, Index steps,
                                   Index every, std::span<const StepDrive> drive) {
  moment_ = moment;
  prepare(scheme, view);
  const Index samples = (steps + every - 1) / every;
  if (!sums_ || sums_->samples() < samples) {
    recorded_.forget();
    sums_ = std::make_unique<StencilSums>(layout_, device_, shape().blocks(stencil_, 1), samples);
  }
  step_.set(view.key.step);
  step_.has_advanced(static_cast<std::uint64_t>(steps));
  view.key.step = 0;
  if (drive.empty() && steps <= most_recorded_steps)
    launch_recorded(view, {steps, every});
  else
    launch_steps(view, {steps, every}, drive);
  return sums_->numbers(samples);
}

}  // namespace larmor::spins
