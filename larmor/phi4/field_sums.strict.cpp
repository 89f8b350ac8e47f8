#include "larmor/phi4/field_sums.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/core/maths/ordered_sum.hpp"
#include "larmor/phi4/phi4_gpu.hpp"
#include "larmor/phi4/with_components.hpp"

namespace larmor::phi4 {
namespace {

/// The tree_sum of each of the N numbers over the sites of a block.
template <int N>
void sum_block(const SiteNumbers<N>& numbers, Index block, Index replica, double* sums) {
  constexpr int count = SiteNumbers<N>::count;
  const Index first = block * sites_of_sum_block;
  const Index last = std::min(first + sites_of_sum_block, numbers.view.sites);
  // If a block has fewer sites than partial sums, the unused partial sums are zero and change
  // nothing.
  const int width = static_cast<int>(std::min(Index{sum_width}, last - first));
  double partial[sum_width][count];
  std::fill_n(partial[0], width * count, 0.0);
  for (Index site = first; site < last; ++site)
    numbers(site, replica, partial[(site - first) % sum_width]);
  for (int half = sum_width / 2; half > 0; half /= 2)
    for (int t = 0; t < half && t + half < width; ++t)
      for (int n = 0; n < count; ++n) partial[t][n] += partial[t + half][n];
  std::copy_n(partial[0], count, sums);
}

}  // namespace

FieldSums::FieldSums(const FieldModel& model)
    : model_(&model),
      partial_sums_(model.device(), sum_blocks_of(model.sites()) * model.replicas().count *
                                        (3 + model.components())),
      sums_(model.device(), model.replicas().count * (3 + model.components())) {}

void FieldSums::sum(FieldState& state) {
  const Region region("sums over sites");
  const FieldView view = state.view();
  const Index replicas = view.replicas;
#if defined(LARMOR_HAS_CUDA)
  if (model_->device().backend == Backend::cuda)
    return sum_on_gpu(model_->device(), view, partial_sums_.data(), sums_.data());
#endif
  require_cpu(model_->device());
  const Index site_blocks = sum_blocks_of(view.sites);
  with_components(model_->components(), [&](auto components) {
    constexpr int N = components;
    constexpr int count = SiteNumbers<N>::count;
    double* const partial_sums = partial_sums_.data();
    parallel_for(model_->device().threads, site_blocks * replicas, [&](Index n) {
      sum_block<N>({view}, n % site_blocks, n / site_blocks, partial_sums + n * count);
    });
    for (Index r = 0; r < replicas; ++r)
      for (int n = 0; n < count; ++n)
        sums_.data()[r * count + n] = tree_sum(site_blocks, [&](Index block) {
          return partial_sums[(r * site_blocks + block) * count + n];
        });
  });
}

Pending FieldSums::begin(FieldState& state) {
  sum(state);
  if (sums_.device().backend == Backend::cpu) return Pending(sums_.to_host());
  return {sums_.device(), sums_.data(), sums_.size()};
}

FieldMeans FieldSums::means(const std::vector<double>& sums, Index replica, double kappa,
                            double lambda) const {
  const auto V = static_cast<double>(model_->sites());
  const double* const own = sums.data() + replica * numbers();
  const Index bonds = model_->bonds();
  FieldMeans means;
  means.bond = bonds > 0 ? own[0] / static_cast<double>(bonds) : 0;
  const bool fixed_length = is_infinite(lambda);
  means.phi2 = fixed_length ? 1 : own[1] / V;
  means.phi4 = fixed_length ? 1 : own[2] / V;
  means.action = -2 * kappa * own[0] / V + means.phi2 +
                 (fixed_length ? 0 : lambda * (means.phi4 - 2 * means.phi2 + 1));
  for (int n = 0; n < model_->components(); ++n) means.magnetisation.push_back(own[3 + n] / V);
  return means;
}

void FieldSums::store_bond_energies(FieldState& state, double* energy) {
  sum(state);
#if defined(LARMOR_HAS_CUDA)
  if (model_->device().backend == Backend::cuda)
    return bond_energies_on_gpu(model_->device(), sums_.data(), numbers(), model_->replicas().count,
                                energy);
#endif
  for (Index r = 0; r < model_->replicas().count; ++r) energy[r] = -2 * sums_.data()[r * numbers()];
}

}  // namespace larmor::phi4
