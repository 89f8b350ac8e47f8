#include "larmor/spins/observables.hpp"

#include "larmor/spins/kernels.hpp"

namespace larmor::spins {
namespace {

std::vector<double> energy_of(const ModelView& view, const SpinState& state) {
  std::vector<double> energy = spin_kernels().energy(state.device(), view, state.data());
  energy.resize(static_cast<std::size_t>(state.layout().replicas));
  for (double& e : energy) e /= static_cast<double>(state.layout().sites);
  return energy;
}

}  // namespace

std::vector<double> energy_per_site(const Model& model, const SpinState& state) {
  return energy_of(model.view(state.layout().replicas), state);
}

std::vector<double> term_energy_per_site(const Model& model, std::size_t term,
                                         const SpinState& state) {
  return energy_of(model.term_view(term, state.layout().replicas), state);
}

void store_effective_field(const Model& model, const SpinState& state, Array<double>& field) {
  spin_kernels().effective_field(state.device(), model.view(state.layout().replicas), state.data(),
                                 field.data());
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
  for (Vec3<double>& v : m) v = (1 / static_cast<double>(state.layout().sites)) * v;
  return m;
}

}  // namespace larmor::spins
