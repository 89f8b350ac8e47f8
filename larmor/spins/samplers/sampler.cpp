#include "larmor/spins/samplers/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/profile.hpp"
#include "larmor/spins/state/schedule.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/jit/stencil_use.hpp"
#include "larmor/spins/samplers/stencil_updates.hpp"
#include "larmor/tempering/replica_exchange.hpp"
#endif

namespace larmor::spins {
namespace {

constexpr double whole_sphere = 2.0;

/// Name of the sampler in profiles.
std::string name_of(const SamplerSettings& settings) {
  const std::string title = info_of(settings.update).title;
  return settings.over_relaxation > 0 ? title + " and over-relaxation" : title;
}

}  // namespace

Sampler::Sampler(const Model& model, const SamplerSettings& settings, std::uint64_t seed,
                 const ReplicaShare& replicas, const Device& device)
    : model_(&model),
      settings_(settings),
      seed_(seed),
      layout_(model.layout(replicas)),
      beta_(device, layout_.padded_replicas()),
      cone_(device, beta_.size()),
      accepted_(device, beta_.size()),
      reflected_(device, beta_.size()) {
  if (model.long_range() != nullptr)
    throw InternalError("a sampler does not support long-range interactions");
  set_cones(std::vector<double>(static_cast<std::size_t>(beta_.size()), whole_sphere));
}

void Sampler::set_temperatures(const std::vector<double>& thermal_energy) {
  std::vector<double> beta(static_cast<std::size_t>(beta_.size()));
  for (std::size_t r = 0; r < beta.size(); ++r)
    beta[r] = 1 / thermal_energy[std::min(r, thermal_energy.size() - 1)];
  beta_.copy_from(beta);
}

SweepView Sampler::view(SpinState& state) const {
  SweepView sweep;
  sweep.model = model_->view_without_neighbours(layout_.replicas);
  sweep.spins = state.reals();
  sweep.beta = beta_.data();
  sweep.cone = cone_.data();
  sweep.key.seed = seed_;
  sweep.key.first_replica = static_cast<std::uint64_t>(layout_.first_replica);
  return sweep;
}

#if defined(LARMOR_HAS_CUDA)
StencilUpdates* Sampler::jit_updates() {
  if (!asked_for_jit_updates_) {
    asked_for_jit_updates_ = true;
    const Device& device = beta_.device();
    if (std::optional<Stencil> stencil =
            stencil_to_use(*model_, layout_, device, StencilCells::colours))
      jit_updates_ = std::make_shared<StencilUpdates>(std::move(*stencil), layout_, device);
  }
  return jit_updates_.get();
}

void Sampler::run_jit(StencilUpdates& jit, SpinState& state, Index sweeps,
                      const StencilExchanges* exchanges) {
  std::vector<StencilUpdates::ColourPass> pass(
      static_cast<std::size_t>(1 + settings_.over_relaxation),
      {Update::over_relaxation, Stream::over_relaxation, reflected_.data()});
  pass.front() = {settings_.update, info_of(settings_.update).stream, accepted_.data()};
  SweepView sweep = view(state);
  sweep.key.step = state.step;
  state.step += jit.run(pass, sweep, sweeps, exchanges);
  attempted_ += static_cast<double>(sweeps) * static_cast<double>(layout_.spins());
}
#endif

tempering::ExchangeView Sampler::exchange_view() {
  tempering::ExchangeView view;
  view.beta = beta_.data();
  view.tuned = cone_.data();
  view.tuned_numbers = 1;
  view.accepted = accepted_.data();
  return view;
}

bool Sampler::run_exchanging([[maybe_unused]] SpinState& state, [[maybe_unused]] Index sweeps,
                             [[maybe_unused]] const tempering::ExchangeTimes& times,
                             [[maybe_unused]] tempering::ReplicaExchange& exchange) {
#if defined(LARMOR_HAS_CUDA)
  StencilUpdates* const jit = jit_updates();
  if (jit == nullptr || !jit->can_exchange(exchange.rungs_of_ladder())) return false;
  const Region region(name_of(settings_));
  const StencilExchanges exchanges{times, exchange.passes_among(sweeps, times, exchange_view())};
  run_jit(*jit, state, sweeps, &exchanges);
  return true;
#else
  return false;
#endif
}

void Sampler::run(SpinState& state, Index sweeps) {
  const Region region(name_of(settings_));
#if defined(LARMOR_HAS_CUDA)
  if (StencilUpdates* const jit = jit_updates()) return run_jit(*jit, state, sweeps, nullptr);
#endif
  SweepView base = view(state);
  base.key.step = state.step;
  const auto passes = static_cast<std::uint64_t>(1 + settings_.over_relaxation);
  state.step += static_cast<std::uint64_t>(sweeps) * passes;
  attempted_ += static_cast<double>(sweeps) * static_cast<double>(layout_.spins());
  const UpdateKernels& kernels = update_kernels(state.device());
  base.model = model_->view(layout_.replicas);
  for_each_block(state.device(), layout_, [&](const Device& device, Index first, Index last) {
    const auto pass = [&](Update update, std::uint64_t step, std::uint64_t* accepted) {
      SweepView sweep = base;
      sweep.key.step = step;
      sweep.key.stream = info_of(update).stream;
      for (const std::vector<SiteRange>& colour : model_->colours())
        kernels.update(update, device, sweep, {{colour.data(), std::ssize(colour)}, first, last},
                       accepted);
    };
    std::uint64_t step = base.key.step;
    for (Index sweep = 0; sweep < sweeps; ++sweep) {
      pass(settings_.update, step++, accepted_.data());
      for (int n = 0; n < settings_.over_relaxation; ++n)
        pass(Update::over_relaxation, step++, reflected_.data());
    }
  });
}

bool Sampler::tune(SpinState& state, Index sweeps) {
  reset_acceptance();
  run(state, sweeps);
  return adapt();
}

bool Sampler::adapt() {
  if (settings_.update != Update::metropolis || !settings_.adaptive_cone) return true;
  const std::vector<double> rate = acceptance();
  adapt_cones();
  return *std::min_element(rate.begin(), rate.end()) >= lowest_acceptance;
}

std::vector<std::uint64_t> Sampler::accepted_of_all() const {
  std::vector<std::uint64_t> accepted = accepted_.to_host();
  const Domain* domain = layout_.domain;
  if (domain == nullptr) return accepted;
  std::vector<double> numbers(accepted.begin(), accepted.end());
  domain->add_up(domain->context, numbers.data(), static_cast<Index>(numbers.size()));
  return {numbers.begin(), numbers.end()};
}

void Sampler::adapt_cones() {
  const std::vector<std::uint64_t> accepted = accepted_of_all();
  std::vector<double> cone = cones();
  for (std::size_t r = 0; r < cone.size(); ++r) {
    const double rate = static_cast<double>(accepted[r]) / attempted_;
    const double factor = std::clamp(rate / settings_.target_acceptance, 0.5, 2.0);
    cone[r] = std::clamp(cone[r] * factor * factor, 1e-14, whole_sphere);
  }
  set_cones(cone);
}

std::vector<double> Sampler::acceptance() const {
  const std::vector<std::uint64_t> accepted = accepted_of_all();
  std::vector<double> rate;
  for (Index r = 0; r < layout_.replicas; ++r)
    rate.push_back(attempted_ > 0
                       ? static_cast<double>(accepted[static_cast<std::size_t>(r)]) / attempted_
                       : 0.0);
  return rate;
}

void Sampler::reset_acceptance() {
  accepted_.copy_from(std::vector<std::uint64_t>(static_cast<std::size_t>(accepted_.size())));
  attempted_ = 0;
}

void Sampler::copy_replicas(std::span<const ReplicaCopy> copies) {
  larmor::copy_replicas(cone_.device(), cone_.data(), {1}, copies);
}

std::vector<double> Sampler::cone_angles() const {
  const std::vector<double> cone = cones();
  std::vector<double> angle;
  for (Index r = 0; r < layout_.replicas; ++r)
    angle.push_back(std::acos(1 - cone[static_cast<std::size_t>(r)]));
  return angle;
}

std::vector<double> Sampler::save() const {
  std::vector<double> saved = cones();
  for (const std::uint64_t n : accepted_of_all()) saved.push_back(static_cast<double>(n));
  saved.push_back(attempted_);
  return saved;
}

void Sampler::load(const std::vector<double>& saved) {
  const auto n = static_cast<std::size_t>(cone_.size());
  if (saved.size() != 2 * n + 1)
    throw InputError("the checkpoint's sampler does not fit the study",
                     "resume the results to which this checkpoint belongs");
  set_cones({saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(n)});
  std::vector<std::uint64_t> accepted;
  const bool counts = layout_.domain == nullptr || layout_.domain->is_first;
  for (std::size_t r = n; r < 2 * n; ++r)
    accepted.push_back(counts ? static_cast<std::uint64_t>(saved[r]) : 0);
  accepted_.copy_from(accepted);
  attempted_ = saved.back();
}

}  // namespace larmor::spins
