#include "larmor/trotter/replica_totals.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "larmor/core/device/parallel.hpp"

namespace larmor::trotter {
namespace {

SiteTerms site_terms(const Instance& instance, std::size_t site, double slices) {
  SiteTerms terms{};
  terms.h = instance.h[site];
  const double Gamma = instance.Gamma[site];
  terms.weight_of_kink = -std::numeric_limits<double>::infinity();
  // A site without a transverse field has no kinks.
  if (Gamma == 0) return terms;
  const double a = instance.beta / slices * Gamma, t = std::tanh(a);
  const double cosh2 = std::cosh(a) * std::cosh(a), sinh2 = std::sinh(a) * std::sinh(a);
  terms.energy = -Gamma * t;
  terms.energy_of_kink = -Gamma * (1 / t - t) / slices;
  terms.derivative = Gamma * Gamma / (slices * cosh2);
  terms.derivative_of_kink = -Gamma * Gamma / (slices * slices) * (1 / cosh2 + 1 / sinh2);
  // A sum over slices of s s' is M - 2 n.
  terms.weight_of_kink = -2 * time_coupling(instance.beta / slices, Gamma);
  return terms;
}

/// The two sums of a block of sites, in the order of a GPU.
template <class OfSite>
detail::TwoSums sums_of_block(const OfSite& of_site, const ReplicaPlace& place, Index block) {
  const Index first = block * detail::sites_of_totals;
  const Index count = std::min(detail::sites_of_totals, of_site.view.base.sites - first);
  std::vector<double> numbers[2];
  for (Index n = 0; n < count; ++n) {
    double sum[2] = {0, 0};
    of_site(place.group, place.field, first + n, sum);
    for (int k = 0; k < 2; ++k) numbers[k].push_back(sum[k]);
  }
  detail::TwoSums sums;
  for (int k = 0; k < 2; ++k)
    sums.sum[k] = tree_sum(count, [&](Index n) { return numbers[k][static_cast<std::size_t>(n)]; });
  return sums;
}

#if defined(LARMOR_HAS_CUDA)
void sum_on_gpu(const Device& device, const EnergyOfSite& of_site, detail::TwoSums* sums) {
  detail::energies_on_gpu(device, of_site.view, sums);
}
void sum_on_gpu(const Device& device, const WeightsOfSite& of_site, detail::TwoSums* sums) {
  detail::weights_on_gpu(device, of_site.view, of_site.pairs, sums);
}
using detail::count_down_on_gpu;
using detail::opposite_copies_on_gpu;
using detail::opposite_in_time_on_gpu;
using detail::tally_on_gpu;
#else
// Without CUDA there is no such device.
template <class OfSite>
void sum_on_gpu(const Device& device, const OfSite&, detail::TwoSums*) {
  require_cpu(device);
}
void count_down_on_gpu(const Device& device, const TotalsView&, std::int32_t*) {
  require_cpu(device);
}
void opposite_in_time_on_gpu(const Device& device, const TotalsView&, const std::int32_t*, int,
                             std::int64_t*) {
  require_cpu(device);
}
void opposite_copies_on_gpu(const Device& device, const TotalsView&, Index, std::int32_t*) {
  require_cpu(device);
}
void tally_on_gpu(const Device& device, const TotalsView&, Index, std::int64_t*) {
  require_cpu(device);
}
#endif

/// Makes an array on the device of a model when it is first needed.
template <class T>
Array<T>& made(Array<T>& array, const TrotterModel& model, Index size) {
  if (array.size() != size) array = Array<T>(model.device(), size);
  return array;
}

/// Two sums over the sites of each replica. @param on_device for a GPU
template <class OfSite>
std::vector<detail::TwoSums> sums_of_replicas(const TrotterModel& model, const OfSite& of_site,
                                              Array<detail::TwoSums>& on_device) {
  const Index blocks = detail::blocks_of_totals(model.sites());
  const Index fields = model.time().fields();
  std::vector<detail::TwoSums> parts;
  if (model.device().backend == Backend::cuda) {
    made(on_device, model, of_site.view.base.groups * blocks * fields);
    sum_on_gpu(model.device(), of_site, on_device.data());
    parts = on_device.to_host();
  }
  std::vector<detail::TwoSums> sums(static_cast<std::size_t>(model.replicas()));
  parallel_for(model.device().host_threads(), model.replicas(), [&](Index replica) {
    const ReplicaPlace place = model.place(replica);
    detail::TwoSums& sum = sums[static_cast<std::size_t>(replica)];
    sum = {};
    for (Index block = 0; block < blocks; ++block) {
      const detail::TwoSums part =
          parts.empty() ? sums_of_block(of_site, place, block)
                        : parts[static_cast<std::size_t>((place.group * blocks + block) * fields +
                                                         place.field)];
      for (int k = 0; k < 2; ++k) sum.sum[k] += part.sum[k];
    }
  });
  return sums;
}

/// @param on_device for a GPU
std::vector<std::int32_t> slice_sums_of_replicas(const TrotterModel& model, const TotalsView& view,
                                                 TrotterState& state,
                                                 Array<std::int32_t>& on_device) {
  const TimeWords& time = model.time();
  std::vector<std::int32_t> down;
  HostWords words{};
  if (model.device().backend == Backend::cuda) {
    made(on_device, model, view.base.groups * time.words * bits_of_word);
    count_down_on_gpu(model.device(), view, on_device.data());
    down = on_device.to_host();
  } else {
    words = state.host_words();
  }
  std::vector<std::int32_t> sums(static_cast<std::size_t>(model.replicas() * model.slices()));
  parallel_for(model.device().host_threads(), model.replicas(), [&](Index replica) {
    std::int32_t* const to = sums.data() + replica * model.slices();
    if (down.empty()) {
      std::ranges::copy(ReplicaSpins(model, words, replica).slice_sums(), to);
      return;
    }
    const ReplicaPlace place = model.place(replica);
    for (int k = 0; k < time.slices(); ++k)
      to[k] = static_cast<std::int32_t>(model.sites()) -
              2 * down[static_cast<std::size_t>((place.group * time.words + time.word_of(k)) *
                                                    bits_of_word +
                                                time.bit_of(k, place.field))];
  });
  return sums;
}

/// Pairs of opposite spins of one replica.
std::int64_t opposite_in_time(const UpdateView& view, const ReplicaPlace& place,
                              std::int32_t shift) {
  const std::uint32_t mask = view.time.field_mask(place.field);
  std::int64_t opposite = 0;
  for (Index site = 0; site < view.sites; ++site) {
    const WordsOfSite own(view, place.group, site);
    for (int w = 0; w < view.time.words; ++w)
      opposite += ising::count_ones((own.at(w) ^ later_word(view.time, own, w, shift)) & mask);
  }
  return opposite;
}

}  // namespace

TotalsOfReplicas::TotalsOfReplicas(const TrotterModel& model) : model_(&model) {
  std::vector<double> J, dtau;
  std::vector<SiteTerms> terms;
  for (const Instance& instance : model.instances()) {
    J.insert(J.end(), instance.J.begin(), instance.J.end());
    dtau.push_back(instance.beta / static_cast<double>(model.slices()));
    for (std::size_t i = 0; i < instance.Gamma.size(); ++i)
      terms.push_back(site_terms(instance, i, static_cast<double>(model.slices())));
  }
  J_ = Array<double>(model.device(), J);
  dtau_ = Array<double>(model.device(), dtau);
  terms_ = Array<SiteTerms>(model.device(), terms);
  view_ = {model.view(),  J_.data(),      dtau_.data(),
           terms_.data(), model.copies(), model.groups() / std::ssize(model.instances())};
}

TotalsView TotalsOfReplicas::view_of(TrotterState& state) const {
  TotalsView view = view_;
  view.base.spins = state.data();
  return view;
}

ReplicaTotals TotalsOfReplicas::measure(TrotterState& state) {
  const TotalsView view = view_of(state);
  ReplicaTotals totals;
  for (const detail::TwoSums& sums : sums_of_replicas(*model_, EnergyOfSite{view}, sums_))
    totals.energy.push_back({sums.sum[0], sums.sum[1]});
  totals.slice = slice_sums_of_replicas(*model_, view, state, down_);
  return totals;
}

std::vector<ExchangeWeights> TotalsOfReplicas::weights(TrotterState& state,
                                                       const RungPairs& pairs) {
  std::vector<ExchangeWeights> weights;
  for (const detail::TwoSums& sums :
       sums_of_replicas(*model_, WeightsOfSite{view_of(state), pairs}, sums_))
    weights.push_back({sums.sum[0], sums.sum[1]});
  return weights;
}

std::vector<std::int64_t> TotalsOfReplicas::products_in_time(TrotterState& state,
                                                             std::span<const std::int32_t> shifts) {
  const TotalsView view = view_of(state);
  const Index count = std::ssize(shifts), fields = model_->time().fields();
  std::vector<std::int64_t> opposite;
  if (model_->device().backend == Backend::cuda) {
    const Array<std::int32_t> times(model_->device(), shifts);
    made(opposite_in_time_, *model_, view.base.groups * count * fields);
    opposite_in_time_on_gpu(model_->device(), view, times.data(), static_cast<int>(count),
                            opposite_in_time_.data());
    opposite = opposite_in_time_.to_host();
  }
  std::vector<std::int64_t> products(static_cast<std::size_t>(model_->replicas() * count));
  parallel_for(model_->device().host_threads(), model_->replicas(), [&](Index replica) {
    const ReplicaPlace place = model_->place(replica);
    for (Index n = 0; n < count; ++n)
      products[static_cast<std::size_t>(replica * count + n)] =
          model_->sites() * model_->slices() -
          2 * (opposite.empty()
                   ? opposite_in_time(view.base, place, shifts[static_cast<std::size_t>(n)])
                   : opposite[static_cast<std::size_t>((place.group * count + n) * fields +
                                                       place.field)]);
  });
  return products;
}

std::vector<std::int32_t> TotalsOfReplicas::overlaps(TrotterState& state) {
  const TimeWords& time = model_->time();
  const Index instances = std::ssize(model_->instances()), pairs = model_->copies() / 2;
  std::vector<std::int32_t> opposite;
  HostWords words{};
  if (model_->device().backend == Backend::cuda && pairs > 0) {
    made(opposite_copies_, *model_, instances * pairs * time.slices());
    opposite_copies_on_gpu(model_->device(), view_of(state), instances, opposite_copies_.data());
    opposite = opposite_copies_.to_host();
  } else {
    words = state.host_words();
  }
  std::vector<std::int32_t> sums(static_cast<std::size_t>(instances * pairs * time.slices()));
  parallel_for(model_->device().host_threads(), instances * pairs, [&](Index n) {
    std::int32_t* const to = sums.data() + n * time.slices();
    if (opposite.empty()) {
      const Index first = n / pairs * model_->copies() + 2 * (n % pairs);
      std::ranges::copy(
          ReplicaSpins(*model_, words, first).overlaps(ReplicaSpins(*model_, words, first + 1)),
          to);
      return;
    }
    for (int k = 0; k < time.slices(); ++k)
      to[k] = static_cast<std::int32_t>(model_->sites()) -
              2 * opposite[static_cast<std::size_t>((n * time.words + time.word_of(k)) * time.bits +
                                                    time.bit_of(k, 0))];
  });
  return sums;
}

SiteTally::SiteTally(const TrotterModel& model)
    : model_(&model), counts_(model.device(), 2 * model.sites() * std::ssize(model.instances())) {}

void SiteTally::add(TrotterState& state) {
  TotalsView view{};
  view.base = model_->view();
  view.base.spins = state.data();
  view.copies = model_->copies();
  view.groups_of_instance = model_->groups() / std::ssize(model_->instances());
  const Index instances = std::ssize(model_->instances());
  if (model_->device().backend == Backend::cuda) {
    tally_on_gpu(model_->device(), view, instances, counts_.data());
    return;
  }
  // Blocks of sites, so that threads write apart.
  constexpr Index sites_of_block = 64;
  const Index blocks = (model_->sites() + sites_of_block - 1) / sites_of_block;
  parallel_for(model_->device().host_threads(), instances * blocks, [&](Index n) {
    const Index first = n % blocks * sites_of_block;
    const Index last = std::min(first + sites_of_block, model_->sites());
    for (Index site = first; site < last; ++site)
      add_to_tally(view, n / blocks, site, counts_.data());
  });
}

}  // namespace larmor::trotter
