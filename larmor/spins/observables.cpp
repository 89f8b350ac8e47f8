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

std::vector<Vec3<double>> magnetisation_per_site(const Model& model, const SpinState& state) {
  const SpinLayout& layout = state.layout();
  const std::vector<double> sum =
      spin_kernels().weighted_sum(state.device(), layout, model.moment_table(), state.data());
  const auto padded = static_cast<std::size_t>(layout.padded_replicas());
  const double scale = 1 / static_cast<double>(layout.sites);
  std::vector<Vec3<double>> m;
  for (std::size_t r = 0; r < static_cast<std::size_t>(layout.replicas); ++r)
    m.push_back({scale * sum[r], scale * sum[padded + r], scale * sum[2 * padded + r]});
  return m;
}

}  // namespace larmor::spins
