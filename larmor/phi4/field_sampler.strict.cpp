#include "larmor/phi4/field_sampler.hpp"

#include <algorithm>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/phi4/local_kernels.hpp"
#include "larmor/phi4/phi4_gpu.hpp"

namespace larmor::phi4 {
namespace {

/// Arguments of the sweeps of one rule.
struct Sweeps {
  UpdateTiles update;
  const FieldView& view;
  RandomKey key;
  const double* step;  ///< length of trials [replica]
  Index count;

  RandomKey key_of(Index sweep) const {
    RandomKey own = key;
    own.step += static_cast<std::uint64_t>(sweep);
    return own;
  }
};

/// Each thread sweeps its own replicas. If replicas are small, a thread sweeps several at once, and
/// packs hold sites of several replicas.
void sweep_replicas(const Sweeps& sweeps, int threads, std::uint64_t* accepted) {
  constexpr Index sites_at_once = 4096, groups_of_thread = 4;
  const FieldView& view = sweeps.view;
  const Index tiles = tiles_of(view);
  const int colours = colours_of(view.grid);
  const Index fair = std::max(Index{1}, view.replicas / (threads * groups_of_thread));
  const Index group = std::clamp(sites_at_once / view.sites, Index{1}, fair);
  parallel_for(threads, (view.replicas + group - 1) / group, [&](Index n) {
    const Index first = n * group, last = std::min(first + group, view.replicas);
    for (Index sweep = 0; sweep < sweeps.count; ++sweep)
      for (int colour = 0; colour < colours; ++colour)
        sweeps.update(view, sweeps.key_of(sweep), sweeps.step, {colour, 0, tiles, first, last},
                      accepted + first);
  });
}

/// Sweeps one replica after the other. Threads share the tiles of each replica.
void sweep_tiles(const Sweeps& sweeps, int threads, std::uint64_t* accepted) {
  constexpr Index sites_of_block = 2048;
  const FieldView& view = sweeps.view;
  const Index tiles = tiles_of(view);
  const Index tiles_of_block = std::max(Index{1}, sites_of_block * tiles / view.sites);
  const Index blocks = (tiles + tiles_of_block - 1) / tiles_of_block;
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(blocks * view.replicas));
  for (Index sweep = 0; sweep < sweeps.count; ++sweep)
    for (int colour = 0; colour < colours_of(view.grid); ++colour)
      parallel_for(threads, blocks * view.replicas, [&](Index n) {
        const Index replica = n / blocks, first = n % blocks * tiles_of_block;
        const ColourTiles own{colour, first, std::min(first + tiles_of_block, tiles), replica,
                              replica + 1};
        sweeps.update(view, sweeps.key_of(sweep), sweeps.step, own,
                      counts.data() + static_cast<std::size_t>(n));
      });
  for (Index n = 0; n < blocks * view.replicas; ++n)
    accepted[n / blocks] += counts[static_cast<std::size_t>(n)];
}

UpdateTiles kernel_of(LocalRule rule, int components) {
  const LocalKernels& kernels = local_kernels();
  const int n = components - 1;
  if (rule == LocalRule::metropolis) return kernels.metropolis[n];
  return rule == LocalRule::heat_bath ? kernels.heat_bath[n] : kernels.over_relaxation[n];
}

}  // namespace

bool has_heat_bath(int components, double lambda) {
  if (is_infinite(lambda)) return components == 1 || components == 3;
  return lambda == 0;
}

FieldSampler::FieldSampler(const FieldModel& model, std::uint64_t seed)
    : model_(&model),
      seed_(seed),
      step_length_(model.device(),
                   std::vector<double>(static_cast<std::size_t>(model.replicas().count), 0.7)),
      accepted_(model.device(), model.replicas().count) {}

void FieldSampler::run(FieldState& state, LocalRule rule, Index sweeps) {
  const Region region("updates of sites");
  const FieldModel& model = *model_;
  if (rule == LocalRule::heat_bath)
    for (const double lambda : model.lambda())
      if (!has_heat_bath(model.components(), lambda))
        throw InputError(
            "there is no heat bath for " + std::to_string(model.components()) +
                " components and lambda = " + std::to_string(lambda),
            "a heat bath exists at lambda = 0, and at lambda = infinity for 1 and 3 components");
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
  std::vector<std::uint64_t> not_counted(static_cast<std::size_t>(view.replicas));
  const Sweeps own{kernel_of(rule, model.components()), view, key, step_length_.data(), sweeps};
  std::uint64_t* const accepted =
      rule == LocalRule::metropolis ? accepted_.data() : not_counted.data();
  const int threads = model.device().threads;
  if (view.replicas >= threads)
    sweep_replicas(own, threads, accepted);
  else
    sweep_tiles(own, threads, accepted);
}

void FieldSampler::reset_acceptance() {
  accepted_.copy_from(std::vector<std::uint64_t>(static_cast<std::size_t>(accepted_.size())));
  sweeps_ = 0;
}

std::vector<double> FieldSampler::accepted() const {
  const std::vector<std::uint64_t> counts = accepted_.to_host();
  return {counts.begin(), counts.end()};
}

std::vector<double> FieldSampler::acceptance() const {
  std::vector<double> share = accepted();
  const double trials = static_cast<double>(sweeps_) * static_cast<double>(model_->sites());
  for (double& x : share) x = trials > 0 ? x / trials : 0;
  return share;
}

bool FieldSampler::tune() {
  if (sweeps_ == 0) return true;
  constexpr double wanted = 0.5, shortest = 1e-4, longest = 10;
  const std::vector<double> share = acceptance();
  std::vector<double> length = step_lengths();
  bool enough = true;
  for (std::size_t r = 0; r < share.size(); ++r) {
    // A spin of one component has only one possible trial, whose length cannot change.
    if (model_->components() == 1 && is_infinite(model_->lambda()[r])) continue;
    length[r] = std::clamp(length[r] * std::clamp(share[r] / wanted, 0.5, 1.5), shortest, longest);
    enough = enough && share[r] >= 0.2;
  }
  step_length_.copy_from(length);
  reset_acceptance();
  return enough;
}

void FieldSampler::copy_replicas(std::span<const ReplicaCopy> copies) {
  larmor::copy_replicas(step_length_.device(), step_length_.data(), {1}, copies);
}

void FieldSampler::restore(const std::vector<double>& accepted, Index sweeps,
                           const std::vector<double>& step_lengths) {
  accepted_.copy_from(std::vector<std::uint64_t>(accepted.begin(), accepted.end()));
  sweeps_ = sweeps;
  step_length_.copy_from(step_lengths);
}

}  // namespace larmor::phi4
