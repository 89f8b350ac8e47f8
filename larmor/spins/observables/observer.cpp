#include "larmor/spins/observables/observer.hpp"

#include "larmor/core/device/profile.hpp"
#include "larmor/spins/observables/observables.hpp"
#if defined(LARMOR_HAS_CUDA)
#include "larmor/spins/jit/stencil_use.hpp"
#include "larmor/spins/observables/stencil_observer.hpp"
#endif

namespace larmor::spins {

Observer::Observer(const Model& model, const SpinLayout& layout, const Device& device)
    : model_(&model) {
#if defined(LARMOR_HAS_CUDA)
  if (const std::optional<Stencil> stencil =
          stencil_to_use(model, layout, device, StencilCells::crystal))
    jit_ = std::make_shared<StencilObserver>(model, *stencil, layout, device);
#else
  static_cast<void>(layout);
  static_cast<void>(device);
#endif
}

std::vector<Pending> Observer::begin(const SpinState& state) const {
  const Region region("energy and magnetisation");
  std::vector<Pending> pending;
#if defined(LARMOR_HAS_CUDA)
  if (jit_) {
    pending.push_back(jit_->measure(state));
    return pending;
  }
#endif
  pending.push_back(energy_per_site_async(*model_, state));
  pending.push_back(magnetisation_per_site_async(*model_, state));
  return pending;
}

void Observer::store_energies(const SpinState& state, double* energies) const {
#if defined(LARMOR_HAS_CUDA)
  if (jit_) return jit_->store_energies(state, energies);
#endif
  spins::store_energies(*model_, state, energies);
}

EnergyAndMagnetisation Observer::finish(const std::vector<std::vector<double>>& numbers) {
  if (numbers.size() == 2) return {numbers[0], numbers[1]};
  EnergyAndMagnetisation measured;
  const std::vector<double>& together = numbers.front();
  for (std::size_t n = 0; n < together.size(); n += 4) {
    measured.energy.push_back(together[n]);
    measured.magnetisation.insert(measured.magnetisation.end(),
                                  {together[n + 1], together[n + 2], together[n + 3]});
  }
  return measured;
}

}  // namespace larmor::spins
