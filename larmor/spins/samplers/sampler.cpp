#include "larmor/spins/samplers/sampler.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/spins/schedule.hpp"

namespace larmor::spins {
namespace {

constexpr double whole_sphere = 2.0;

Stream stream_of(Update update) {
  switch (update) {
    case Update::metropolis:
      return Stream::metropolis;
    case Update::heat_bath:
      return Stream::heat_bath;
    default:
      return Stream::over_relaxation;
  }
}

}  // namespace

Sampler::Sampler(const Model& model, const SamplerSettings& settings, std::uint64_t seed,
                 Index replicas)
    : model_(&model),
      settings_(settings),
      seed_(seed),
      layout_(model.layout(replicas)),
      beta_(static_cast<std::size_t>(layout_.padded_replicas()), 1.0),
      cone_(beta_.size(), whole_sphere),
      accepted_(beta_.size(), 0.0) {
  if (model.long_range() != nullptr)
    throw InternalError("a sampler cannot follow a long-range interaction");
}

void Sampler::set_temperatures(const std::vector<double>& thermal_energy) {
  for (std::size_t r = 0; r < beta_.size(); ++r)
    beta_[r] = 1 / thermal_energy[std::min(r, thermal_energy.size() - 1)];
}

SweepView Sampler::view(SpinState& state) const {
  SweepView sweep;
  sweep.model = model_->view(layout_.replicas);
  sweep.spins = state.data();
  sweep.beta = beta_.data();
  sweep.cone = cone_.data();
  sweep.key.seed = seed_;
  return sweep;
}

void Sampler::run(SpinState& state, Index sweeps) {
  const SpinKernels& kernels = spin_kernels();
  const SweepView base = view(state);
  const std::uint64_t first_step = state.step;
  const auto pass = [&](const Device& device, Index block, Update update, std::uint64_t step,
                        double* accepted) {
    SweepView sweep = base;
    sweep.key.step = step;
    sweep.key.stream = stream_of(update);
    for (const ColourRange& colour : model_->colours())
      kernels.update(update, device, sweep, {colour.first_site, colour.last_site, block}, accepted);
  };
  for_each_block(state.device(), layout_, [&](const Device& device, Index block) {
    std::uint64_t step = first_step;
    double reflected[lane_count] = {};
    for (Index sweep = 0; sweep < sweeps; ++sweep) {
      pass(device, block, settings_.update, step++, accepted_.data() + block * lane_count);
      for (int n = 0; n < settings_.over_relaxation; ++n)
        pass(device, block, Update::over_relaxation, step++, reflected);
    }
  });
  const auto passes = static_cast<std::uint64_t>(1 + settings_.over_relaxation);
  state.step += static_cast<std::uint64_t>(sweeps) * passes;
  attempted_ += static_cast<double>(sweeps) * static_cast<double>(layout_.spins());
}

bool Sampler::tune(SpinState& state, Index sweeps) {
  const bool adaptive = settings_.update == Update::metropolis && settings_.adaptive_cone;
  reset_acceptance();
  run(state, sweeps);
  if (!adaptive) return true;
  const std::vector<double> rate = acceptance();
  adapt_cones();
  return *std::min_element(rate.begin(), rate.end()) >= lowest_acceptance;
}

void Sampler::adapt_cones() {
  for (std::size_t r = 0; r < cone_.size(); ++r) {
    const double rate = accepted_[r] / attempted_;
    const double factor = std::clamp(rate / settings_.target_acceptance, 0.5, 2.0);
    cone_[r] = std::clamp(cone_[r] * factor * factor, 1e-14, whole_sphere);
  }
}

std::vector<double> Sampler::acceptance() const {
  std::vector<double> rate;
  for (Index r = 0; r < layout_.replicas; ++r)
    rate.push_back(attempted_ > 0 ? accepted_[static_cast<std::size_t>(r)] / attempted_ : 0.0);
  return rate;
}

void Sampler::reset_acceptance() {
  std::fill(accepted_.begin(), accepted_.end(), 0.0);
  attempted_ = 0;
}

std::vector<double> Sampler::cone_angles() const {
  std::vector<double> angle;
  for (Index r = 0; r < layout_.replicas; ++r)
    angle.push_back(std::acos(1 - cone_[static_cast<std::size_t>(r)]));
  return angle;
}

std::vector<double> Sampler::save() const {
  std::vector<double> saved = cone_;
  saved.insert(saved.end(), accepted_.begin(), accepted_.end());
  saved.push_back(attempted_);
  return saved;
}

void Sampler::load(const std::vector<double>& saved) {
  const auto n = static_cast<std::ptrdiff_t>(cone_.size());
  if (saved.size() != 2 * cone_.size() + 1)
    throw InputError("the checkpoint's sampler does not fit the study",
                     "resume the results it belongs to");
  std::copy_n(saved.begin(), n, cone_.begin());
  std::copy_n(saved.begin() + n, n, accepted_.begin());
  attempted_ = saved.back();
}

}  // namespace larmor::spins
