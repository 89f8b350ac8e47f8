#include "larmor/spins/observables.hpp"

#include "larmor/spins/kernels.hpp"
#include "larmor/spins/long_range/convolution.hpp"
#include "larmor/spins/schedule.hpp"

namespace larmor::spins {
namespace {

/// The long-range field of the spins of all blocks.
Array<double> long_range_field(const Convolution& interaction, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  Array<double> field(state.device(), layout.doubles());
  for_each_block(state.device(), layout, [&](const Device& device, Index block) {
    interaction.store_field(device, layout, state.data(), block, field.data());
  });
  return field;
}

std::vector<double> energy_of(ModelView view, const Convolution* interaction,
                              const SpinState& state) {
  Array<double> field;
  if (interaction != nullptr) field = long_range_field(*interaction, state);
  view.long_range = field.data();
  std::vector<double> energy = spin_kernels().energy(state.device(), view, state.data());
  energy.resize(static_cast<std::size_t>(state.layout().replicas));
  for (double& e : energy) e /= static_cast<double>(state.layout().spins());
  return energy;
}

}  // namespace

std::vector<double> energy_per_site(const Model& model, const SpinState& state) {
  return energy_of(model.view(state.layout().replicas), model.long_range(), state);
}

std::vector<double> term_energy_per_site(const Model& model, std::size_t term,
                                         const SpinState& state) {
  return energy_of(model.term_view(term, state.layout().replicas),
                   term == model.long_range_term() ? model.long_range() : nullptr, state);
}

void store_effective_field(const Model& model, const SpinState& state, Array<double>& field) {
  ModelView view = model.view(state.layout().replicas);
  Array<double> far;
  if (model.long_range() != nullptr) far = long_range_field(*model.long_range(), state);
  view.long_range = far.data();
  spin_kernels().effective_field(state.device(), view, state.data(), field.data());
}

std::vector<Vec3<double>> weighted_sum(const RowTable& weight, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  const std::vector<double> sum =
      spin_kernels().weighted_sum(state.device(), layout, weight, state.data());
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  std::vector<Vec3<double>> total;
  for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
    total.push_back({sum[r], sum[padded + r], sum[2 * padded + r]});
  return total;
}

std::vector<Vec3<double>> magnetisation_per_site(const Model& model, const SpinState& state) {
  std::vector<Vec3<double>> m = weighted_sum(model.moment_table(), state);
  for (Vec3<double>& v : m) v = (1 / static_cast<double>(state.layout().spins())) * v;
  return m;
}

}  // namespace larmor::spins
