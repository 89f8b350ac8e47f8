#include "larmor/ising/potts/potts_sums.hpp"

#include <algorithm>

#include "larmor/core/device/parallel.hpp"
#include "larmor/core/device/profile.hpp"
#include "larmor/ising/potts/potts_gpu.hpp"

namespace larmor::ising {

PottsSums::PottsSums(const PottsModel& model)
    : model_(&model), sums_(model.device(), model.replicas().count * (1 + model.states())) {}

void PottsSums::sum(PottsState& state) {
  const Region region("sums over sites");
  const PottsView view = state.view();
  const Index replicas = model_->replicas().count, numbers = 1 + model_->states();
  const Device& device = model_->device();
#if defined(LARMOR_HAS_CUDA)
  if (device.backend == Backend::cuda) return sum_on_gpu(device, view, replicas, sums_.data());
#endif
  require_cpu(device);
  if (LaneBlocks* const lanes = state.lanes()) return lanes->sum(view, sums_.data());
  const PottsEnergy energy{view};
  constexpr Index block_positions = 1 << 14;
  const Index blocks = (model_->positions() + block_positions - 1) / block_positions;
  std::vector<Index> partial_sums(static_cast<std::size_t>(blocks * replicas * numbers));
  parallel_for(device.threads, blocks * replicas, [&](Index n) {
    const Index r = n / blocks, first = n % blocks * block_positions;
    Index* const sums = partial_sums.data() + n * numbers;
    for (Index p = first; p < std::min(first + block_positions, model_->positions()); ++p) {
      if (view.site[p] < 0) continue;
      sums[0] += energy(p, r);
      ++sums[1 + view.state[r * model_->positions() + p]];
    }
  });
  for (Index r = 0; r < replicas; ++r)
    for (Index n = 0; n < numbers; ++n) {
      Index all = 0;
      for (Index k = 0; k < blocks; ++k)
        all += partial_sums[static_cast<std::size_t>((r * blocks + k) * numbers + n)];
      sums_.data()[r * numbers + n] = static_cast<double>(all);
    }
}

Pending PottsSums::begin(PottsState& state) {
  sum(state);
  if (sums_.device().backend == Backend::cpu) return Pending(sums_.to_host());
  return {sums_.device(), sums_.data(), sums_.size()};
}

template <class Function>
void PottsSums::store(PottsState& state, const Function& function, double* numbers) {
  sum(state);
  const Index replicas = model_->replicas().count, width = 1 + model_->states();
#if defined(LARMOR_HAS_CUDA)
  if (sums_.device().backend == Backend::cuda)
    return apply_to_replicas_on_gpu(sums_.device(), function, sums_.data(), width, replicas,
                                    numbers);
#endif
  for (Index r = 0; r < replicas; ++r) numbers[r] = function(sums_.data() + r * width, r);
}

void PottsSums::store_energies(PottsState& state, double* energy) {
  store(state, model_->energy_of_replica_on_device(), energy);
}

void PottsSums::store_field_factors(PottsState& state, const double* beta, double* factor) {
  store(state, model_->field_factor_on_device(beta), factor);
}

}  // namespace larmor::ising
