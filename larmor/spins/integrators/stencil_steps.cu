#include <cuda_runtime.h>

#include "larmor/core/cuda_backend.hpp"
#include "larmor/core/error.hpp"
#include "larmor/spins/integrators/stencil_steps.hpp"

namespace larmor::spins {
namespace {

/// Steps that are recorded and launched together: launching each kernel by itself would keep a
/// small system waiting for the host.
constexpr Index recorded_steps = 64;

struct StageText {
  const char* functor;
  bool noisy;
};

std::string header_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::rk4:
      return "larmor/spins/integrators/rk4_kernel.hpp";
    case Scheme::depondt:
      return "larmor/spins/integrators/depondt_kernel.hpp";
    case Scheme::heun:
      return "larmor/spins/integrators/heun_kernel.hpp";
    default:
      return "larmor/spins/integrators/semi_implicit_kernel.hpp";
  }
}

std::vector<StageText> stages_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::rk4:
      return {{"Rk4Stage<bond_class, 1>", false},
              {"Rk4Stage<bond_class, 2>", false},
              {"Rk4Stage<bond_class, 3>", false},
              {"Rk4Stage<bond_class, 4>", false}};
    case Scheme::depondt:
      return {{"DepondtPredictor<bond_class>", true}, {"DepondtCorrector<bond_class>", false}};
    case Scheme::heun:
      return {{"HeunPredictor<bond_class>", true}, {"HeunCorrector<bond_class>", false}};
    default:
      return {{"SemiImplicitPredictor<bond_class>", true},
              {"SemiImplicitCorrector<bond_class>", false}};
  }
}

std::string settled(const Stencil& stencil, const LlgView& view) {
  std::string text = settled_model(stencil, view.model);
  text += settled_table("view.site", view.site);
  text += "  view.torque.drift = ModelView{};\n";
  text += std::string("  view.driven = ") + (view.driven ? "true" : "false") + ";\n";
  text += std::string("  view.torque.polarised = ") + (view.torque.polarised ? "true" : "false") +
          ";\n";
  text += view.root_thermal_energy == nullptr
              ? "  view.root_thermal_energy = nullptr;\n"
              : "  __builtin_assume(view.root_thermal_energy != nullptr);\n";
  return text;
}

__global__ void advance(std::uint64_t* step, std::uint64_t by) { *step += by; }

}  // namespace

StencilSteps::StencilSteps(Stencil stencil, const SpinLayout& layout, const Device& device)
    : stencil_(std::move(stencil)), layout_(layout), device_(device), first_step_(device, 1) {}

bool StencilSteps::knows(Scheme scheme, const LlgView& view) {
  return scheme != Scheme::midpoint && view.long_range.store == nullptr &&
         !view.torque.drift.bonds.value.present() && !view.model.biquadratic.value.present() &&
         view.model.bonds.block_stride == 0;
}

void StencilSteps::prepare(Scheme scheme, const LlgView& view) {
  // Writing the text takes longer than many steps of a small system.
  LlgView lasting = view;
  lasting.drive = {};
  lasting.key = {};
  if (module_ && scheme == made_for_ && lasting == made_view_) return;
  made_for_ = scheme;
  made_view_ = lasting;
  StencilLaunch launch;
  launch.replicas = layout_.replicas;
  launch.precision = device_.precision;
  launch.multiprocessors = cuda::multiprocessors(device_.ordinal);
  std::vector<StencilKernel> kernels;
  for (const StageText& stage : stages_of(scheme)) {
    StencilKernel kernel;
    kernel.name = "stage_" + std::to_string(kernels.size() + 1);
    kernel.functor = stage.functor;
    kernel.view = "LlgView";
    kernel.input = kernel.functor + "{view}.input()";
    kernel.noisy = stage.noisy && view.root_thermal_energy != nullptr;
    kernel.shape = choose_shape(stencil_, launch);
    kernels.push_back(std::move(kernel));
  }
  std::string text = stencil_source(stencil_, device_.precision, {header_of(scheme)},
                                    settled(stencil_, view), kernels);
  if (text == text_) return;
  recorded_.reset();
  stages_.clear();
  module_ = std::make_unique<cuda::RuntimeModule>(device_.ordinal, text);
  for (const StencilKernel& kernel : kernels)
    stages_.push_back({module_->kernel(kernel.name),
                       kernel.shape.blocks(stencil_, layout_.blocks()), kernel.shape.threads()});
  text_ = std::move(text);
}

void StencilSteps::set_first_step(std::uint64_t step) {
  if (cudaMemcpyAsync(first_step_.data(), &step, sizeof(step), cudaMemcpyHostToDevice,
                      cuda::stream(device_.ordinal)) != cudaSuccess)
    throw MachineError("copying to GPU memory failed");
}

/// Kernels read the first step before they wait for their predecessor: that must not be what
/// writes it. @param follows another step?
void StencilSteps::launch_step(const LlgView& view, std::uint64_t step, bool follows) {
  const std::uint64_t* first_step = first_step_.data();
  std::uint64_t* counts = nullptr;
  LlgView argument = view;
  void* arguments[] = {&argument, &first_step, &step, &counts};
  for (const Stage& stage : stages_) {
    module_->launch(stage.kernel, stage.blocks, stage.threads, arguments, follows);
    follows = true;
  }
}

void StencilSteps::launch_recorded(const LlgView& view) {
  if (!recorded_ || !(view == recorded_view_)) {
    recorded_.reset();
    recorded_ = std::make_unique<cuda::LaunchGraph>(device_.ordinal, [&] {
      for (Index step = 0; step < recorded_steps; ++step)
        launch_step(view, static_cast<std::uint64_t>(step), step > 0);
      advance<<<1, 1, 0, cuda::stream(device_.ordinal)>>>(first_step_.data(), recorded_steps);
    });
    recorded_view_ = view;
  }
  recorded_->launch();
}

void StencilSteps::run(Scheme scheme, LlgView view, Index steps, std::span<const StepDrive> drive) {
  prepare(scheme, view);
  set_first_step(view.key.step);
  view.key.step = 0;
  Index step = 0;
  if (drive.empty())
    for (; step + recorded_steps <= steps; step += recorded_steps) launch_recorded(view);
  // `first_step_` has advanced with the recorded ones.
  const Index advanced = step;
  for (; step < steps; ++step) {
    if (!drive.empty()) view.drive = drive[static_cast<std::size_t>(step)];
    launch_step(view, static_cast<std::uint64_t>(step - advanced), step > advanced);
  }
}

}  // namespace larmor::spins
