#include "larmor/spins/integrators/integrator.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "larmor/core/device/profile.hpp"
#include "larmor/core/error.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/state/schedule.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/integrators/stencil_steps.hpp"
#include "larmor/spins/jit/stencil_use.hpp"
#endif

namespace larmor::spins {
namespace {

/// Rows of LlgNumber for all sites.
RowStorage site_numbers(const Model& model, const IntegratorSettings& settings) {
  const double ratio_dt = settings.gyromagnetic_ratio * settings.timestep;
  const std::vector<double>& damping = settings.damping;
  const auto of_site = [&](Index site) {
    const double moment = model.moments()[static_cast<std::size_t>(site)];
    // The basis atom varies fastest in the canonical index.
    const double alpha =
        damping.empty() ? 0.0 : damping[static_cast<std::size_t>(site) % damping.size()];
    const double factor = 1 / (1 + alpha * alpha);
    std::vector<double> row(llg_width);
    if (moment == 0) return row;
    row[llg_field_turn] = ratio_dt / moment * factor;
    row[llg_drive_turn] = ratio_dt * factor;
    row[llg_noise_turn] = std::sqrt(2 * alpha * ratio_dt / moment) * factor;
    row[llg_damping] = alpha;
    return row;
  };
  const bool by_atom =
      model.moments().by_atom() && static_cast<Index>(damping.size()) < model.sites();
  return model.rows_by_site(llg_width, of_site, by_atom);
}

constexpr int most_iterations = 200;

void store_long_range_field(const void* interaction, const Device& device, const SpinLayout& layout,
                            const Reals& spins, Index first_block, Index last_block,
                            const Reals& field) {
  static_cast<const Convolution*>(interaction)
      ->store_fields(device, layout, spins, first_block, last_block, field);
}

}  // namespace

Integrator::Integrator(const Model& model, const SpinLayout& layout,
                       const IntegratorSettings& settings, const Device& device)
    : model_(&model),
      layout_(layout),
      settings_(settings),
      device_(device),
      site_(site_numbers(model, settings)) {
  if (model.long_range() != nullptr) long_range_ = RealArray(device, layout.numbers(), false);
  allocate_work();
}

void Integrator::allocate_work() {
  for (int n = 0; n < work_fields(settings_.scheme, noisy_); ++n)
    if (work_[n].size() == 0) work_[n] = RealArray(device_, layout_.numbers());
}

void Integrator::set_temperatures(const std::vector<double>& thermal_energy) {
  noisy_ =
      std::any_of(thermal_energy.begin(), thermal_energy.end(), [](double t) { return t > 0; });
  if (noisy_ && !info_of(settings_.scheme).has_heat_bath)
    throw InternalError("the Runge-Kutta method has no thermal noise");
  std::vector<double> root(static_cast<std::size_t>(layout_.padded_replicas()));
  for (std::size_t r = 0; r < root.size(); ++r)
    root[r] = std::sqrt(thermal_energy[std::min(r, thermal_energy.size() - 1)]);
  root_thermal_energy_ = Array<double>(device_, root);
  allocate_work();
}

void Integrator::set_torque(const SpinTransferTorque& torque, const lattice::Geometry& geometry) {
  drift_ = directional_derivative(device_, geometry, *model_, torque.velocity,
                                  1 / settings_.gyromagnetic_ratio);
  nonadiabaticity_ = torque.nonadiabaticity;
}

LlgView Integrator::view(SpinState& state) {
  LlgView view;
  view.model = model_->view_without_neighbours(layout_.replicas);
  view.spins = state.reals();
  for (int n = 0; n < most_work_fields; ++n) view.work[n] = work_[n].reals();
  if (model_->long_range() != nullptr) {
    view.model.long_range = long_range_.reals();
    view.long_range = {store_long_range_field, model_->long_range()};
  }
  view.site = site_.table();
  view.root_thermal_energy = noisy_ ? root_thermal_energy_.data() : nullptr;
  if (drift_) view.torque.drift = drift_->view(layout_);
  view.torque.nonadiabaticity = nonadiabaticity_;
  view.torque.polarised = polarisation_.has_value();
  if (polarisation_) {
    view.torque.polarisation = polarisation_->polarisation;
    view.torque.damping_like = polarisation_->damping_like;
    view.torque.field_like = polarisation_->field_like;
    view.torque.asymmetry = polarisation_->asymmetry;
  }
  view.key = {settings_.seed, state.step, Stream::thermal_field,
              static_cast<std::uint64_t>(layout_.first_replica)};
  return view;
}

#if defined(LARMOR_HAS_CUDA)
StencilSteps* Integrator::jit_steps(const LlgView& view) {
  if (!StencilSteps::supports(settings_.scheme, view)) return nullptr;
  if (!asked_for_jit_steps_) {
    asked_for_jit_steps_ = true;
    if (std::optional<Stencil> stencil =
            stencil_to_use(*model_, layout_, device_, StencilCells::crystal))
      jit_steps_ = std::make_shared<StencilSteps>(std::move(*stencil), layout_, device_);
  }
  return jit_steps_.get();
}
#endif

#if defined(LARMOR_HAS_CUDA)
Index Integrator::samples_at_once(SpinState& state) {
  const StencilSteps* jit = jit_steps(view(state));
  return jit == nullptr ? 0 : jit->samples_at_once();
}

Pending Integrator::run_observed(SpinState& state, Index steps, Index every,
                                 std::span<const StepDrive> drive) {
  const Region region(info_of(settings_.scheme).profile);
  const LlgView first = driven_view(state, !drive.empty());
  StencilSteps* jit = jit_steps(first);
  if (jit == nullptr) throw InternalError("steps cannot measure with these kernels");
  Pending numbers =
      jit->run_observed(settings_.scheme, first, model_->moment_table(), steps, every, drive);
  state.step += static_cast<std::uint64_t>(steps);
  return numbers;
}
#else
Index Integrator::samples_at_once(SpinState&) { return 0; }

Pending Integrator::run_observed(SpinState&, Index, Index, std::span<const StepDrive>) {
  throw InternalError("steps cannot measure, because this build has no CUDA");
}
#endif

LlgView Integrator::driven_view(SpinState& state, bool driven) {
  LlgView result = view(state);
  result.driven = drift_ || polarisation_ || driven;
  return result;
}

void Integrator::run(SpinState& state, Index steps, std::span<const StepDrive> drive) {
  const Region region(info_of(settings_.scheme).profile);
  const StepKernels& kernels = step_kernels(state.device());
  LlgView first = driven_view(state, !drive.empty());
#if defined(LARMOR_HAS_CUDA)
  if (StencilSteps* jit = jit_steps(first)) {
    jit->run(settings_.scheme, first, steps, drive);
    state.step += static_cast<std::uint64_t>(steps);
    return;
  }
#endif
  const Reals long_range = first.model.long_range;
  first.model = model_->view(layout_.replicas);
  first.model.long_range = long_range;
  // Spins in float have an accuracy of about 1e-7.
  const double tolerance = device_.precision == Precision::double_numbers
                               ? settings_.tolerance
                               : std::max(settings_.tolerance, 1e-6);
  std::atomic<bool> converged = true;
  std::atomic<int> iterations = midpoint_iterations_;
  for_each_block(
      state.device(), layout_, [&](const Device& device, Index first_block, Index last_block) {
        const BlockRange blocks{first_block, last_block};
        LlgView view = first;
        int needed = iterations;
        for (Index step = 0; step < steps && converged; ++step, ++view.key.step) {
          if (!drive.empty()) view.drive = drive[static_cast<std::size_t>(step)];
          if (settings_.scheme != Scheme::midpoint) {
            kernels.step(settings_.scheme, device, view, blocks);
          } else {
            needed =
                kernels.midpoint_step(device, view, blocks, tolerance, most_iterations, needed);
            if (needed > most_iterations) converged = false;
          }
        }
        iterations = needed;
      });
  if (!converged)
    throw UnphysicalError("the midpoint rule did not converge in " +
                          std::to_string(most_iterations) + " iterations; use a smaller time step");
  midpoint_iterations_ = iterations;
  state.step += static_cast<std::uint64_t>(steps);
}

}  // namespace larmor::spins
