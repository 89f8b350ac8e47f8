#include "larmor/trotter/trotter_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "larmor/core/device/parallel.hpp"
#include "larmor/lattice/lazy_sweeps.hpp"
#include "larmor/trotter/local_kernels.hpp"
#include "larmor/trotter/space_time_clusters.hpp"

namespace larmor::trotter {
namespace {

/// With fewer groups, threads would end at different times.
constexpr Index groups_of_thread = 4;
/// Sites that a thread updates at once. Their lines lie apart from those of other threads.
constexpr Index sites_of_share = 64;

/// Calls body(replica) for the replicas of a group, in their order.
template <class Body>
void for_replicas_of_group(const TrotterModel& model, Index group, const Body& body) {
  const Index of_instance = model.groups() / std::ssize(model.instances());
  const Index first = group % of_instance * model.time().fields();
  const Index last = std::min(first + model.time().fields(), model.copies());
  for (Index copy = first; copy < last; ++copy)
    body(model.instance_of_group(group) * model.copies() + copy);
}

#if defined(LARMOR_HAS_CUDA)
using detail::add_up_on_gpu;
using detail::sweep_lines_on_gpu;
using detail::sweep_on_gpu;
#else
// Without CUDA there is no such device.
void sweep_on_gpu(const Device& device, const LocalUpdate&, Index, const std::vector<SiteRun>&) {
  require_cpu(device);
}
void add_up_on_gpu(const Device& device, const LocalUpdate&, Index, const std::vector<SiteRun>&) {
  require_cpu(device);
}
void sweep_lines_on_gpu(const Device& device, const LineView&, const RandomKey&,
                        const std::vector<SiteRun>&) {
  require_cpu(device);
}
#endif

}  // namespace

TrotterSampler::TrotterSampler(const TrotterModel& model, std::uint64_t seed,
                               const UpdateCounter& steps)
    : model_(&model), seed_(seed), steps_(steps) {
  std::vector<double> K, field, gap_scale;
  for (const Instance& instance : model.instances()) {
    const double dtau = instance.beta / static_cast<double>(model.slices());
    for (const double J : instance.J) K.push_back(dtau * J);
    for (const double h : instance.h) field.push_back(dtau * h);
    for (const double Gamma : instance.Gamma)
      gap_scale.push_back(1 / std::log1p(-std::tanh(dtau * Gamma)));
  }
  K_ = Array<double>(model.device(), K);
  field_ = Array<double>(model.device(), field);
  gap_scale_ = Array<double>(model.device(), gap_scale);
  lines_ = {model.view(),     model.replicas(),
            model.copies(),   model.groups() / std::ssize(model.instances()),
            K_.data(),        field_.data(),
            gap_scale_.data()};
}

void TrotterSampler::sweep(TrotterState& state, Index sweeps) {
  if (!model_->has_local_updates())
    throw InternalError("a model without tables of probabilities is updated locally");
  if (model_->has_rigid_lines())
    throw InputError("local updates hardly change a site whose Gamma dtau is below 0.001",
                     "update world lines or clusters, or give each site a larger Gamma");
  LocalUpdate update{model_->view(), {seed_, steps_, Stream::trotter_update}, false};
  update.view.spins = state.data();
  const Device& device = model_->device();
  while (sweeps > 0) {
    const std::uint64_t step = update.key.step;
    update.lazy = model_->needs_lazy_sweeps() && lattice::is_lazy_sweep(step);
    const Index count =
        model_->needs_lazy_sweeps() ? lattice::sweeps_of_one_kind(step, sweeps) : sweeps;
    if (device.backend == Backend::cuda)
      (model_->is_counted() ? sweep_on_gpu : add_up_on_gpu)(device, update, count, model_->runs());
    else if (model_->is_counted())
      parallel_for(device.threads, update.view.groups / update.view.lanes,
                   [&](Index block) { local_kernels().counted(update, count, block, block + 1); });
    else
      parallel_for(device.threads, model_->groups(),
                   [&](Index group) { summed_kernels().summed(update, count, group, group + 1); });
    update.key.step += static_cast<std::uint64_t>(count);
    sweeps -= count;
  }
  steps_ = update.key.step;
}

void TrotterSampler::line_sweep(TrotterState& state, Index sweeps) {
  const Device& device = model_->device();
  lines_.base.spins = state.data();
  for (Index n = 0; n < sweeps; ++n) {
    const RandomKey key{seed_, steps_++, Stream::trotter_line};
    if (device.backend == Backend::cuda) {
      sweep_lines_on_gpu(device, lines_, key, model_->runs());
      continue;
    }
    if (model_->groups() >= groups_of_thread * device.threads)
      parallel_for(device.threads, model_->groups(), [&](Index group) {
        line_kernels().sweep(lines_, key, group, 0, model_->sites());
      });
    else
      share_sites(key);
  }
}

/// Few groups: threads share the sites of a colour, which do not depend on one another.
void TrotterSampler::share_sites(const RandomKey& key) {
  const std::vector<SiteRun>& runs = model_->runs();
  Index first = 0;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const Index last = runs[r].first + runs[r].count;
    if (r + 1 < runs.size() && runs[r + 1].colour == runs[r].colour) continue;
    const Index shares = (last - first + sites_of_share - 1) / sites_of_share;
    parallel_for(model_->device().threads, model_->groups() * shares, [&](Index n) {
      const Index from = first + n % shares * sites_of_share;
      line_kernels().sweep(lines_, key, n / shares, from, std::min(from + sites_of_share, last));
    });
    first = last;
  }
}

void TrotterSampler::require_no_frustration() {
  if (is_checked_) return;
  for (std::size_t p = 0; p < model_->instances().size(); ++p)
    if (is_frustrated(model_->system(), model_->instances()[p]))
      throw InputError("the couplings of instance " + std::to_string(p) +
                           " are frustrated, so clusters of space and time would join all spins",
                       "update world lines instead");
  is_checked_ = true;
}

void TrotterSampler::cluster_sweep(TrotterState& state, Index sweeps) {
  require_no_frustration();
  require_cpu(model_->device());
  lines_.base.spins = state.data();
  for (Index n = 0; n < sweeps; ++n) {
    const RandomKey key{seed_, steps_++, Stream::trotter_cluster};
    parallel_for(model_->device().threads, model_->groups(), [&](Index group) {
      SpaceTimeClusters clusters(lines_, model_->system());
      for_replicas_of_group(*model_, group, [&](Index replica) { clusters.update(key, replica); });
    });
  }
}

}  // namespace larmor::trotter
