#include "larmor/phi4/local_sampler.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/phi4/phi4_gpu.hpp"
#include "larmor/phi4/with_components.hpp"

namespace larmor::phi4 {
namespace {

template <class Update>
void sweep_on_cpu(const FieldModel& model, const Update& first_update, Index sweeps,
                  std::uint64_t* accepted) {
  const std::vector<Index>& begin = model.colour_begin();
  const std::uint32_t* const sites = model.sites_by_colour();
  const Index replicas = model.replicas().count;
  const int threads = model.device().threads;
  const auto update_of = [&](Index sweep) {
    Update update = first_update;
    if constexpr (requires { update.key; }) update.key.step += static_cast<std::uint64_t>(sweep);
    return update;
  };
  const auto run = [&](const Update& update, Index first, Index last, Index replica) {
    std::uint64_t count = 0;
    for (Index n = first; n < last; ++n) count += update(sites[n], replica) ? 1 : 0;
    return count;
  };
  if (replicas >= threads) {
    parallel_for(threads, replicas, [&](Index r) {
      for (Index sweep = 0; sweep < sweeps; ++sweep)
        accepted[r] += run(update_of(sweep), 0, begin.back(), r);
    });
    return;
  }
  constexpr Index piece = 512;
  for (Index sweep = 0; sweep < sweeps; ++sweep) {
    const Update update = update_of(sweep);
    for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
      const Index pieces = (begin[c + 1] - begin[c] + piece - 1) / piece;
      std::vector<std::uint64_t> counts(static_cast<std::size_t>(pieces * replicas));
      parallel_for(threads, pieces * replicas, [&](Index n) {
        const Index first = begin[c] + n % pieces * piece;
        counts[static_cast<std::size_t>(n)] =
            run(update, first, std::min(first + piece, begin[c + 1]), n / pieces);
      });
      for (Index n = 0; n < pieces * replicas; ++n)
        accepted[n / pieces] += counts[static_cast<std::size_t>(n)];
    }
  }
}

}  // namespace

bool has_heat_bath(int components, double lambda) {
  if (is_infinite(lambda)) return components == 1 || components == 3;
  return lambda == 0;
}

LocalSampler::LocalSampler(const FieldModel& model, std::uint64_t seed)
    : model_(&model),
      seed_(seed),
      step_length_(model.device(),
                   std::vector<double>(static_cast<std::size_t>(model.replicas().count), 0.7)),
      accepted_(model.device(), model.replicas().count) {}

void LocalSampler::run(FieldState& state, LocalRule rule, Index sweeps) {
  const Region region("updates of sites");
  const FieldModel& model = *model_;
  if (rule == LocalRule::heat_bath)
    for (const double lambda : model.lambda())
      if (!has_heat_bath(model.components(), lambda))
        throw InputError("no heat bath for " + std::to_string(model.components()) +
                             " components and lambda = " + std::to_string(lambda),
                         "there is one at lambda = 0, and at lambda = infinity for 1 and 3 "
                         "components");
  const FieldView view = state.view();
  const RandomKey key{seed_, state.step, Stream::field_update,
                      static_cast<std::uint64_t>(model.replicas().first)};
  state.step += static_cast<std::uint64_t>(sweeps);
  if (rule == LocalRule::metropolis) sweeps_ += sweeps;
#if defined(LARMOR_HAS_CUDA)
  if (model.device().backend == Backend::cuda)
    return sweep_on_gpu(model.device(), view, rule, key, step_length_.data(),
                        {model.colour_begin(), model.sites_by_colour()}, sweeps,
                        rule == LocalRule::metropolis ? accepted_.data() : nullptr);
#endif
  require_cpu(model.device());
  std::vector<std::uint64_t> not_counted(static_cast<std::size_t>(model.replicas().count));
  with_components(model.components(), [&](auto components) {
    constexpr int N = components;
    if (rule == LocalRule::metropolis)
      sweep_on_cpu(model, MetropolisUpdate<N>{view, key, step_length_.data()}, sweeps,
                   accepted_.data());
    else if (rule == LocalRule::heat_bath)
      sweep_on_cpu(model, HeatBathUpdate<N>{view, key}, sweeps, not_counted.data());
    else
      sweep_on_cpu(model, OverRelaxation<N>{view}, sweeps, not_counted.data());
  });
}

void LocalSampler::reset_acceptance() {
  accepted_.copy_from(std::vector<std::uint64_t>(static_cast<std::size_t>(accepted_.size())));
  sweeps_ = 0;
}

std::vector<double> LocalSampler::accepted() const {
  const std::vector<std::uint64_t> counts = accepted_.to_host();
  return {counts.begin(), counts.end()};
}

std::vector<double> LocalSampler::acceptance() const {
  std::vector<double> share = accepted();
  const double trials = static_cast<double>(sweeps_) * static_cast<double>(model_->sites());
  for (double& x : share) x = trials > 0 ? x / trials : 0;
  return share;
}

bool LocalSampler::tune() {
  if (sweeps_ == 0) return true;
  constexpr double wanted = 0.5, shortest = 1e-4, longest = 10;
  const std::vector<double> share = acceptance();
  std::vector<double> length = step_lengths();
  bool enough = true;
  for (std::size_t r = 0; r < share.size(); ++r) {
    // Spins of one component have one trial only.
    if (model_->components() == 1 && is_infinite(model_->lambda()[r])) continue;
    length[r] = std::clamp(length[r] * std::clamp(share[r] / wanted, 0.5, 1.5), shortest, longest);
    enough = enough && share[r] >= 0.2;
  }
  step_length_.copy_from(length);
  reset_acceptance();
  return enough;
}

void LocalSampler::restore(const std::vector<double>& accepted, Index sweeps,
                           const std::vector<double>& step_lengths) {
  accepted_.copy_from(std::vector<std::uint64_t>(accepted.begin(), accepted.end()));
  sweeps_ = sweeps;
  step_length_.copy_from(step_lengths);
}

}  // namespace larmor::phi4
