#include "larmor/ising/potts/potts_sampler.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/ising/potts/potts_gpu.hpp"

namespace larmor::ising {
namespace {

Stream stream_of(Rule rule) {
  return rule == Rule::heat_bath ? Stream::heat_bath : Stream::metropolis;
}

void sweep_replica(const PottsUpdate& update, const std::vector<Index>& colour_begin,
                   Index replica) {
  for (Index quad = 0; quad < colour_begin.back() / positions_of_key; ++quad) update(quad, replica);
}

/// Sweeps colour by colour. Threads share the positions of each colour.
void sweep_together(int threads, const PottsUpdate& update, const std::vector<Index>& colour_begin,
                    Index replicas) {
  constexpr Index block_quads = 1024;
  for (std::size_t c = 0; c + 1 < colour_begin.size(); ++c) {
    const Index first = colour_begin[c] / positions_of_key;
    const Index quads = colour_begin[c + 1] / positions_of_key - first;
    const Index blocks = (quads + block_quads - 1) / block_quads;
    parallel_for(threads, blocks * replicas, [&](Index n) {
      const Index begin = n % blocks * block_quads, end = std::min(begin + block_quads, quads);
      for (Index quad = begin; quad < end; ++quad) update(first + quad, n / blocks);
    });
  }
}

}  // namespace

PottsSampler::PottsSampler(const PottsModel& model, Rule rule, std::uint64_t seed)
    : model_(&model),
      rule_(rule),
      seed_(seed),
      beta_(model.device(), model.replicas().count),
      table_(model.device(), model.replicas().count * model.table_entries()),
      accepted_(model.device(), model.replicas().count) {}

void PottsSampler::set_temperatures(const std::vector<double>& thermal_energy) {
  std::vector<double> beta;
  for (const double kT : thermal_energy) beta.push_back(1 / kT);
  beta_.copy_from(beta);
  table_is_old_ = true;
}

double* PottsSampler::betas_on_device() {
  table_is_old_ = true;
  return beta_.data();
}

PottsView PottsSampler::view_of(PottsState& state) {
  PottsView view = state.view();
  view.accepted = accepted_.data();
  view.beta = beta_.data();
  view.rule = rule_;
  view.key = {seed_, state.step, stream_of(rule_),
              static_cast<std::uint64_t>(model_->replicas().first)};
  return view;
}

void PottsSampler::fill_table() {
  table_is_old_ = false;
  if (table_.size() == 0) return;
  PottsView view = model_->view();
  view.beta = beta_.data();
  view.rule = rule_;
  const Index replicas = model_->replicas().count;
#if defined(LARMOR_HAS_CUDA)
  if (model_->device().backend == Backend::cuda)
    return fill_table_on_gpu(model_->device(), view, table_.data(), model_->table_entries(),
                             replicas);
#endif
  const ProbabilityOfGain fill{view, table_.data()};
  for (Index r = 0; r < replicas; ++r)
    for (Index entry = 0; entry < model_->table_entries(); ++entry) fill(entry, r);
}

void PottsSampler::run(PottsState& state, Index sweeps) {
  const Region region("updates of sites");
  const PottsView view = view_of(state);
  state.step += static_cast<std::uint64_t>(sweeps);
  sweeps_ += sweeps;
  if (state.lanes() != nullptr && state.lanes()->sweep(view, sweeps)) return;
  sweep_singly(view, sweeps);
}

void PottsSampler::sweep_singly(PottsView view, Index sweeps) {
  if (table_is_old_) fill_table();
  view.table = table_.size() > 0 ? table_.data() : nullptr;
  const Index replicas = model_->replicas().count;
  const Device& device = model_->device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda)
    return sweep_on_gpu(device, view, model_->colour_begin(), replicas, sweeps);
#endif
  require_cpu(device);
  const auto of_sweep = [&](Index sweep) {
    PottsUpdate update{view};
    update.view.key.step += static_cast<std::uint64_t>(sweep);
    return update;
  };
  if (replicas >= device.threads) {
    parallel_for(device.threads, replicas, [&](Index r) {
      for (Index sweep = 0; sweep < sweeps; ++sweep)
        sweep_replica(of_sweep(sweep), model_->colour_begin(), r);
    });
    return;
  }
  for (Index sweep = 0; sweep < sweeps; ++sweep)
    sweep_together(device.threads, of_sweep(sweep), model_->colour_begin(), replicas);
}

void PottsSampler::reset_acceptance() {
  accepted_.copy_from(std::vector<std::uint64_t>(static_cast<std::size_t>(accepted_.size())));
  sweeps_ = 0;
}

std::vector<double> PottsSampler::accepted() const {
  const std::vector<std::uint64_t> counts = accepted_.to_host();
  return {counts.begin(), counts.end()};
}

std::vector<double> PottsSampler::acceptance() const {
  std::vector<double> share = accepted();
  const double updates = static_cast<double>(sweeps_) * static_cast<double>(model_->sites());
  for (double& x : share) x = updates > 0 ? x / updates : 0;
  return share;
}

void PottsSampler::restore(const std::vector<double>& accepted, Index sweeps) {
  accepted_.copy_from(std::vector<std::uint64_t>(accepted.begin(), accepted.end()));
  sweeps_ = sweeps;
}

}  // namespace larmor::ising
