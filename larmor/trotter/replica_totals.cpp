#include "larmor/trotter/replica_totals.hpp"

#include <algorithm>
#include <cmath>

#include "larmor/core/device/parallel.hpp"

namespace larmor::trotter {
namespace {

SiteTerms site_terms(const Instance& instance, std::size_t site, double slices) {
  SiteTerms terms{};
  terms.h = instance.h[site];
  const double Gamma = instance.Gamma[site];
  // A site without a transverse field has no kinks.
  if (Gamma == 0) return terms;
  const double a = instance.beta / slices * Gamma, t = std::tanh(a);
  const double cosh2 = std::cosh(a) * std::cosh(a), sinh2 = std::sinh(a) * std::sinh(a);
  terms.energy = -Gamma * t;
  terms.energy_of_kink = -Gamma * (1 / t - t) / slices;
  terms.derivative = Gamma * Gamma / (slices * cosh2);
  terms.derivative_of_kink = -Gamma * Gamma / (slices * slices) * (1 / cosh2 + 1 / sinh2);
  return terms;
}

ReplicaTotals measured_on_cpu(const TrotterModel& model, const TotalsView& view,
                              const HostWords& words) {
  ReplicaTotals totals;
  totals.energy.resize(static_cast<std::size_t>(model.replicas()));
  totals.slice.resize(static_cast<std::size_t>(model.replicas() * model.slices()));
  parallel_for(model.device().threads, model.replicas(), [&](Index replica) {
    const ReplicaPlace place = model.place(replica);
    EnergyTerms sum{0, 0};
    for (Index site = 0; site < model.sites(); ++site) {
      const EnergyTerms of_site =
          energy_of_site(view, place.group, site, model.time().field_mask(place.field));
      sum.energy += of_site.energy;
      sum.derivative += of_site.derivative;
    }
    totals.energy[static_cast<std::size_t>(replica)] = sum;
    const std::vector<std::int32_t> slices = ReplicaSpins(model, words, replica).slice_sums();
    std::copy(slices.begin(), slices.end(), totals.slice.begin() + replica * model.slices());
  });
  return totals;
}

#if defined(LARMOR_HAS_CUDA)
ReplicaTotals measured_on_gpu(const TrotterModel& model, const TotalsView& view) {
  const TimeWords& time = model.time();
  const Index blocks = (model.sites() + detail::sites_of_totals - 1) / detail::sites_of_totals;
  const Index fields = time.fields();
  Array<EnergyTerms> energy(model.device(), view.base.groups * blocks * fields);
  Array<std::int32_t> down(model.device(), view.base.groups * time.words * bits_of_word);
  detail::sum_on_gpu(model.device(), view, energy.data(), down.data());
  const std::vector<EnergyTerms> of_blocks = energy.to_host();
  const std::vector<std::int32_t> of_bits = down.to_host();
  ReplicaTotals totals;
  for (Index replica = 0; replica < model.replicas(); ++replica) {
    const ReplicaPlace place = model.place(replica);
    EnergyTerms sum{0, 0};
    for (Index block = 0; block < blocks; ++block) {
      const EnergyTerms& part = of_blocks[static_cast<std::size_t>(
          (place.group * blocks + block) * fields + place.field)];
      sum.energy += part.energy;
      sum.derivative += part.derivative;
    }
    totals.energy.push_back(sum);
    for (int k = 0; k < time.slices(); ++k)
      totals.slice.push_back(static_cast<std::int32_t>(model.sites()) -
                             2 * of_bits[static_cast<std::size_t>(
                                     (place.group * time.words + time.word_of(k)) * bits_of_word +
                                     time.bit_of(k, place.field))]);
  }
  return totals;
}
#else
// Without CUDA there is no such device.
ReplicaTotals measured_on_gpu(const TrotterModel& model, const TotalsView&) {
  require_cpu(model.device());
  return {};
}
#endif

}  // namespace

TotalsOfReplicas::TotalsOfReplicas(const TrotterModel& model) : model_(&model) {
  std::vector<double> J;
  std::vector<SiteTerms> terms;
  for (const Instance& instance : model.instances()) {
    J.insert(J.end(), instance.J.begin(), instance.J.end());
    for (std::size_t i = 0; i < instance.Gamma.size(); ++i)
      terms.push_back(site_terms(instance, i, static_cast<double>(model.slices())));
  }
  J_ = Array<double>(model.device(), J);
  terms_ = Array<SiteTerms>(model.device(), terms);
  view_ = {model.view(), J_.data(), terms_.data()};
}

ReplicaTotals TotalsOfReplicas::measure(TrotterState& state) const {
  TotalsView view = view_;
  view.base.spins = state.data();
  if (model_->device().backend == Backend::cuda) return measured_on_gpu(*model_, view);
  return measured_on_cpu(*model_, view, state.host_words());
}

}  // namespace larmor::trotter
